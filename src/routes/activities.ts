import { Hono, type Context as RequestContext } from 'hono';
import { accepts } from 'hono/accepts';
import { z } from 'zod';
import { contextOf, type Env } from '../http/context.ts';
import { cursor, cutPage, encodeCursor, linkNext } from '../http/lists/paging.ts';
import { type Page, streamRows } from '../http/lists/streaming.ts';
import { documented, json } from '../http/openapi/documented.ts';
import { examples } from '../http/openapi/examples.ts';
import { at, id, next as nextCursor, signature, uri } from '../http/openapi/shapes.ts';
import { count, identifier, query } from '../http/validation.ts';
import { type Action, actions, service } from '../model/activities.ts';
import { type Entry, shownEntry } from '../model/activity-chain.ts';
import { kinds, listActivityItems } from '../model/activity-items.ts';
import {
  exportActivities,
  type ListedActivity,
  listActivities,
  verifyActivities,
} from '../model/activity-log.ts';

const tag = 'Activity';
const ndjson = 'application/x-ndjson';

type ExportedActivity = Awaited<ReturnType<typeof exportActivities>>['entries'][number];

const listQuery = z.strictObject({
  limit: count(1000, 100),
  cursor: cursor(z.tuple([z.number().int()])).optional(),
  action: z.enum(actions, { error: `Expected one of ${actions.join(', ')}.` }).optional(),
  item: identifier.optional(),
});

const hashFormula =
  "Lower-case hex of SHA-256 over the UTF-8 of: the previous entry's `hash` (64 zeros for the first), a line feed, and the RFC 8785 canonical JSON of this entry without `hash` and `actorName`.";
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const verifyQuery = z.strictObject({
  cursor: cursor(z.tuple([z.number().int().min(1), hash])).optional(),
});

const activity = z
  .strictObject({
    identifier: id,
    investigation: uri('investigation'),
    position: z.int().min(1),
    at,
    actor: id,
    actorName: z.string(),
    action: z.enum(actions),
    cases: z.array(id),
    responses: z.array(id),
    reason: z.string().optional(),
    details: z.record(z.string(), z.unknown()).optional().meta({
      description:
        'What changed: the survey or member it concerns, and the changed fields `before` and `after`. A value of more than 100,000 characters is told by `characters` and `sha256` of its canonical JSON.',
    }),
    signature: signature.optional().meta({
      description: 'What the actor stated with it, after a fresh sign-in: their name then, and when.',
    }),
    hash: hash.meta({ description: hashFormula }),
  })
  .meta({ id: 'Activity' });
const activityList = z
  .strictObject({ investigation: uri('investigation'), activities: z.array(activity), next: nextCursor })
  .meta({ id: 'Activities' });
const verification = z
  .union([
    z.strictObject({ valid: z.literal(true), entries: z.int(), head: hash, next: nextCursor }),
    z.strictObject({
      valid: z.literal(false),
      entries: z.int(),
      brokenAt: z.int().meta({ description: 'The first position that does not fit.' }),
    }),
  ])
  .meta({ id: 'Verification' });

const items = z.array(z.strictObject({ identifier: id }));
const itemList = z
  .strictObject({ cases: items, responses: items, next: nextCursor })
  .meta({ id: 'ActivityItems' });
const itemsQuery = z.strictObject({
  limit: count(1000, 100),
  cursor: cursor(z.tuple([z.enum(kinds), identifier])).optional(),
});
type Kind = (typeof kinds)[number];

const newestHash = 'b1d63b7bd2a5b8cf7a1b0c1b7e6a0f35bb1f6c1ad3be0ba3c64a0b6fd2a4e97c';

export const activities = new Hono<Env>()
  .get(
    '/investigation/:id/activity',
    documented({
      id: 'listActivities',
      tag,
      summary: 'Lists who did what in a study',
      description:
        'With `Accept: application/x-ndjson` the whole log is streamed, oldest first, an entry to a line; the query does not apply. A page ends after about a million characters, and one with `action` or `item` after the thousand entries that it looked at: it may hold fewer entries than `limit`, even none, and still have `next`.',
      answers: {
        200: {
          ...json(
            'Newest first.',
            activityList,
            {
              investigation: `investigation/${examples.study.identifier}`,
              activities: [
                {
                  identifier: '01a4497d1b0074ce9d15c9dd7225d357',
                  investigation: `investigation/${examples.study.identifier}`,
                  position: 5,
                  at: '2027-03-15T14:00:00.000Z',
                  actor: examples.editor.identifier,
                  actorName: examples.editor.name,
                  action: 'items.locked',
                  cases: [examples.case.identifier],
                  responses: [],
                  reason: 'Interim analysis',
                  hash: newestHash,
                },
              ],
            },
            ['Link', 'Vary'],
          ),
          also: {
            [ndjson]: { schema: { type: 'string' }, example: '{"identifier":"...","position":1,...}\n' },
          },
        },
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    query(listQuery),
    async (c) => {
      const { cursor: before, ...filter } = c.req.valid('query');
      const study = c.req.param('id');
      c.header('Vary', 'Accept', { append: true });
      if (wantsNdjson(c)) return exported(c, study);
      const page = await listActivities(contextOf(c), study, { ...filter, before: before?.[0] });
      const next = page.next === undefined ? undefined : encodeCursor([page.next]);
      linkNext(c, next);
      const list: z.input<typeof activityList> = {
        investigation: `investigation/${study}`,
        activities: page.rows.map(toActivity),
        ...(next && { next }),
      };
      return c.json(list);
    },
  )
  .get(
    '/investigation/:id/activity/verify',
    documented({
      id: 'verifyActivities',
      tag,
      summary: 'Verifies the chain of the log',
      description:
        'One call walks at most 10,000 entries or about ten million characters; `next` is the `cursor` of the call that goes on. `entries` and `head` are those reached so far.',
      answers: {
        200: json(
          'Whether every entry is as it was written.',
          verification,
          { valid: true, entries: 5, head: newestHash },
          ['Link'],
        ),
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    query(verifyQuery),
    async (c) => {
      const [position, hash] = c.req.valid('query').cursor ?? [];
      const after = position === undefined || hash === undefined ? undefined : { position, hash };
      const { verified, next: head } = await verifyActivities(contextOf(c), c.req.param('id'), after);
      const next = head && encodeCursor([head.position, head.hash]);
      linkNext(c, next);
      const answer: z.input<typeof verification> = next && verified.valid ? { ...verified, next } : verified;
      return c.json(answer);
    },
  )
  .get(
    '/investigation/:id/activity/:entry/items',
    documented({
      id: 'listActivityItems',
      tag,
      summary: 'Lists the items that an entry changed',
      description:
        'Cases first, each kind in order of its identifiers. A page can be sent to `lock-items` as it is. An entry of `lock-matching` has a digest of the whole list in `details.items.sha256`: lower-case hex of SHA-256 over the identifiers in this order, each followed by a line feed.',
      answers: {
        200: json(
          'A page of the items.',
          itemList,
          {
            cases: [{ identifier: examples.case.identifier }],
            responses: [{ identifier: examples.response.identifier }],
          },
          ['Link'],
        ),
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    query(itemsQuery),
    async (c) => {
      const { limit, cursor: after } = c.req.valid('query');
      const { id, entry } = c.req.param();
      const found = await listActivityItems(contextOf(c), id, entry, { limit, after });
      const { rows, next } = cutPage(found, limit, (item) => [item.kind, item.id]);
      linkNext(c, next);
      const list: z.input<typeof itemList> = {
        cases: toItems(rows, 'cases'),
        responses: toItems(rows, 'responses'),
        ...(next && { next }),
      };
      return c.json(list);
    },
  );

const wantsNdjson = (c: RequestContext) =>
  accepts(c, { header: 'Accept', supports: ['application/json', ndjson], default: 'application/json' }) ===
  ndjson;

/** The whole log, streamed oldest first, a page in memory. */
async function exported(c: RequestContext<Env>, study: string) {
  const context = contextOf(c);
  const page = async (after?: number): Promise<Page<ExportedActivity>> => {
    const { entries, more } = await exportActivities(context, study, after);
    const last = entries.at(-1);
    return { rows: entries, more: more && last ? () => page(last.position) : null };
  };
  const first = await page();
  c.set('streamed', true);
  const row = (entry: ExportedActivity) => `${JSON.stringify(toActivity(entry))}\n`;
  return c.body(streamRows(first, { head: '', row, tail: '' }), 200, { 'content-type': ndjson }) as never;
}

const toItems = (items: { kind: Kind; id: string }[], kind: Kind) =>
  items.filter((item) => item.kind === kind).map(({ id }) => ({ identifier: id }));

const toActivity = (row: Entry & Pick<ListedActivity, 'actorName' | 'hash'>): z.input<typeof activity> => ({
  ...shownEntry(row),
  action: row.action as Action,
  actorName: row.actorId === service.id ? service.name : (row.actorName ?? ''),
  hash: row.hash,
});
