import { and, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { cases, responses } from '../db/schema.ts';
import type { Placeholders } from '../db/statements.ts';

/** What a list of cases or responses is narrowed to. */
export interface ListFilter {
  /** Locked items count as archived too; `active` leaves out what was archived, locked or not. */
  status: 'active' | 'archived' | 'all';
  locked?: boolean | undefined;
  /** Epoch seconds of the latest revision. */
  since?: number | undefined;
  limit: number;
  /** The creation time and identifier of the last row of the previous page. */
  after?: readonly [number, string] | undefined;
}

/** The values of a list's statement that cases and responses share. */
export const listValues = ({ since, limit, after }: ListFilter) => ({
  since: since && since * 1000,
  createdAt: after?.[0],
  id: after?.[1],
  // The extra row tells whether there is another page.
  limit: limit + 1,
});

/** The rest of the filter, which the text of the statement depends on. */
export const listShape = ({ status, locked }: ListFilter) => ({ status, locked });

/** The part of a list's condition that cases and responses share. */
export const inList = (
  table: typeof cases | typeof responses,
  revisedAt: typeof cases.editedAt | typeof responses.revisedAt,
  { since, createdAt, id }: Placeholders<ReturnType<typeof listValues>>,
  { status, locked }: ReturnType<typeof listShape>,
) =>
  and(
    isNull(table.deletedAt),
    status === 'active' ? isNull(table.archivedAt) : undefined,
    status === 'archived' ? or(isNotNull(table.archivedAt), isNotNull(table.lockedAt)) : undefined,
    locked === undefined ? undefined : locked ? isNotNull(table.lockedAt) : isNull(table.lockedAt),
    since && sql`${revisedAt} >= ${since}`,
    createdAt && id && sql`(${table.createdAt}, ${table.id}) > (${createdAt}, ${id})`,
  );
