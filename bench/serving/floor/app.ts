import { Hono } from 'hono';
import { base64Identifier } from '../../../src/identifiers.ts';

export type Statement = [sql: string, values: (string | number | null)[]];

/** Rows are arrays; `write` runs its statements in one transaction. */
export interface FloorDatabase {
  all(...statement: Statement): Promise<unknown[][]>;
  write(statements: Statement[]): Promise<unknown>;
}

const columns = `r.id, r.created_at, r.survey_id, r.case_id, r.responder_id, r.items, r.reasons, r.revised_at,
  r.revision_id, r.locked_at, r.archived_at`;
/** In the order of `columns`, followed by the name in a list. */
type Row = [
  id: string,
  createdAt: number,
  survey: string,
  inCase: string,
  responder: string,
  items: string,
  reasons: string,
  revisedAt: number,
  revision: string,
  lockedAt: number | null,
  archivedAt: number | null,
  name: string,
];
const list = `select ${columns}, u.name from response r left join user u on u.id = r.responder_id
  where r.investigation_id = ? and r.deleted_at is null and r.archived_at is null
  order by r.created_at, r.id`;

/**
 * The minimum that gives Fieldbell's answers byte for byte: Hono, the necessary statement, and the same JSON, without
 * authentication, checks or a log.
 */
export function createFloor(database: () => FloorDatabase) {
  const read = (...statement: Statement) => database().all(...statement) as Promise<Row[]>;
  return new Hono()
    .get('/response/:id', async (c) => {
      const [row] = await read(`select ${columns} from response r where r.id = ?`, [c.req.param('id')]);
      return row ? c.json(toSingle(row)) : c.notFound();
    })
    .get('/investigation/:id/responses', async (c) => {
      const study = c.req.param('id');
      const limit = Number(c.req.query('limit') ?? 0);
      if (limit === 0) {
        const rows = await read(list, [study]);
        return c.json({ investigation: `investigation/${study}`, responses: rows.map(toListed) });
      }
      const rows = await read(`${list} limit +?`, [study, limit + 1]);
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      const next = last && btoa(JSON.stringify([last[1], last[0]])).replace(/=+$/, '');
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
}

/** An entry of the same length, without its hash chain. */
const append = `insert into activity (investigation_id, position, id, at, actor_id, action, cases, responses, hash)
  select ?1, coalesce(max(position), 0) + 1, lower(hex(randomblob(16))), ?2, '${'0'.repeat(32)}', ?3, '[]', ?4,
    '${'0'.repeat(64)}' from activity where investigation_id = ?1`;

const iso = (ms: number) => new Date(ms).toISOString();
const state = (lockedAt: number | null, archivedAt: number | null) =>
  lockedAt === null ? { status: archivedAt === null ? 'active' : 'archived' } : { lockedAt: iso(lockedAt) };

const toSingle = (row: Row) => {
  const [id, , survey, inCase, responder, items, reasons, revisedAt, , lockedAt, archivedAt] = row;
  return {
    uri: `/response/${id}`,
    survey: `/survey/${survey}`,
    responder: `/user/${responder}`,
    case: `case/${inCase}`,
    items: JSON.parse(items),
    reasons: JSON.parse(reasons),
    revisionDate: Math.floor(revisedAt / 1000),
    ...state(lockedAt, archivedAt),
  };
};

const toListed = (row: Row) => {
  const [id, createdAt, survey, inCase, responder, items, reasons, revisedAt, revision, ...rest] = row;
  const [lockedAt, archivedAt, name] = rest;
  return {
    uri: `response/${id}`,
    identifier: id,
    b64Identifier: base64Identifier(id),
    creation: iso(createdAt),
    case: inCase,
    responder,
    name,
    avatar: `/user/${responder}/avatar`,
    items: JSON.parse(items),
    reasons: JSON.parse(reasons),
    survey,
    ...state(lockedAt, archivedAt),
    revisionUNIX: Math.floor(revisedAt / 1000),
    revisionIdentifier: revision,
  };
};
