import { Hono } from 'hono';
import { base64Identifier } from '../../../src/identifiers.ts';

/** A statement and its values. */
export type Statement = [sql: string, values: (string | number | null)[]];

/** What a database is to the floor: rows by column name, and several statements in one transaction. */
export interface FloorDatabase {
  all(...statement: Statement): Promise<Row[]>;
  write(statements: Statement[]): Promise<unknown>;
}
// biome-ignore lint/suspicious/noExplicitAny: rows as the driver gives them
type Row = Record<string, any>;

const columns = `r.id, r.created_at, r.survey_id, r.case_id, r.responder_id, r.items, r.reasons, r.revised_at,
  r.revision_id, r.locked_at, r.archived_at`;
const list = `select ${columns}, u.name from response r left join user u on u.id = r.responder_id
  where r.investigation_id = ? and r.deleted_at is null and r.archived_at is null
  order by r.created_at, r.id`;

/**
 * The least that can answer as Fieldbell does, byte for byte: Hono, the one statement that is necessary, and the same
 * JSON. It asks nobody who they are, checks nothing and logs nothing.
 */
export const createFloor = (database: () => FloorDatabase) =>
  new Hono()
    .get('/response/:id', async (c) => {
      const [row] = await database().all(`select ${columns} from response r where r.id = ?`, [
        c.req.param('id'),
      ]);
      return row ? c.json(toSingle(row)) : c.notFound();
    })
    .get('/investigation/:id/responses', async (c) => {
      const study = c.req.param('id');
      const limit = Number(c.req.query('limit') ?? 0);
      if (limit === 0) {
        const rows = await database().all(list, [study]);
        return c.json({ investigation: `investigation/${study}`, responses: rows.map(toListed) });
      }
      const rows = await database().all(`${list} limit ?`, [study, limit + 1]);
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      const next = last && btoa(JSON.stringify([last.created_at, last.id])).replace(/=+$/, '');
      const responses = page.map(toListed);
      return c.json({ investigation: `investigation/${study}`, responses, ...(next && { next }) });
    })
    .post('/investigation/:id/lock-items', async (c) => {
      const { responses, status } = await c.req.json<{
        responses: { identifier: string }[];
        status: string;
      }>();
      const items = JSON.stringify(responses.map(({ identifier }) => identifier));
      const now = Date.now();
      await database().write([
        [append, [c.req.param('id'), now, `items.${status}`, items]],
        [
          'update response set locked_at = ?, state_revision = revision_id where id in (select value from json_each(?))',
          [status === 'locked' ? now : null, items],
        ],
      ]);
      return c.body(null, 204);
    });

/** An entry of the same length, chained to nothing. */
const append = `insert into activity (investigation_id, position, id, at, actor_id, action, cases, responses, hash)
  select ?1, coalesce(max(position), 0) + 1, lower(hex(randomblob(16))), ?2, '${'0'.repeat(32)}', ?3, '[]', ?4,
    '${'0'.repeat(64)}' from activity where investigation_id = ?1`;

const iso = (ms: number) => new Date(ms).toISOString();
const state = (row: Row) =>
  row.locked_at === null
    ? { status: row.archived_at === null ? 'active' : 'archived' }
    : { lockedAt: iso(row.locked_at) };

const toSingle = (row: Row) => ({
  uri: `/response/${row.id}`,
  survey: `/survey/${row.survey_id}`,
  responder: `/user/${row.responder_id}`,
  case: `case/${row.case_id}`,
  items: JSON.parse(row.items),
  reasons: JSON.parse(row.reasons),
  revisionDate: Math.floor(row.revised_at / 1000),
  ...state(row),
});

const toListed = (row: Row) => ({
  uri: `response/${row.id}`,
  identifier: row.id,
  b64Identifier: base64Identifier(row.id),
  creation: iso(row.created_at),
  case: row.case_id,
  responder: row.responder_id,
  name: row.name,
  avatar: `/user/${row.responder_id}/avatar`,
  items: JSON.parse(row.items),
  reasons: JSON.parse(row.reasons),
  survey: row.survey_id,
  ...state(row),
  revisionUNIX: Math.floor(row.revised_at / 1000),
  revisionIdentifier: row.revision_id,
});
