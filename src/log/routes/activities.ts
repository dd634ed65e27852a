import { Hono, type Context as RequestContext } from 'hono';
import * as z from 'zod';
import { firstSlice } from '../../breathe.ts';
import { ndjson, prefers } from '../../http/accept.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { memberCode } from '../../http/fields.ts';
import { cursor, encodeCursor, linkNext } from '../../http/lists/paging.ts';
import { firstPage, type Page, streamRows } from '../../http/lists/streaming.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { at, id, next as nextCursor, sha256, signature, uri } from '../../http/openapi/shapes.ts';
import { count, identifier, query } from '../../http/validation.ts';
import { type Action, actions } from '../activities.ts';
import { shownEntry } from '../chain.ts';
import { exportActivities, readSight, recordLogExport } from '../export.ts';
import { type ListedActivity, listActivities } from '../list.ts';
import { reviewed, toReviewed } from '../reviewed-shapes.ts';

const tag = 'Activity';

type ExportedActivity = Awaited<ReturnType<typeof exportActivities>>['entries'][number];

const listQuery = z.strictObject({
  limit: count(1000, 100),
  cursor: cursor(z.tuple([z.number().int()])).optional(),
  action: z.enum(actions, { error: `Expected one of ${actions.join(', ')}.` }).optional(),
  item: identifier.optional(),
  code: memberCode.optional().meta({
    description: 'Only acts of the person with this code, and changes of their membership.',
  }),
});

const hashFormula =
  "Lower-case hex of SHA-256 over the UTF-8 of: the previous entry's `hash` (64 zeros for the first), a line feed, and the RFC 8785 canonical JSON of this entry without `hash` and `actorName`. In studies with properties the details have a random `salt`, so that nobody finds out by the hash what is not shown to them.";
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
        'The survey, member, webhook or code that changed, and its changed fields `before` and `after`; the range of a review; the list, filter and number of rows of a download. A value of more than 100,000 characters is replaced by `characters` and `sha256` of its canonical JSON.',
    }),
    signature: signature.optional().meta({
      description:
        "The actor's statement after a fresh sign-in, with their name at that time and the instant.",
    }),
    hash: sha256.meta({ description: hashFormula }),
    redacted: z.literal(true).optional().meta({
      description:
        'The reader sees a part of the study, or of this entry: items, people and details outside of it are left out, the actor may be 32 zeros, and the hash covers more than what is shown. The chain is verified without its content.',
    }),
  })
  .meta({ id: 'Activity' });
const activityList = z
  .strictObject({
    investigation: uri('investigation'),
    activities: z.array(activity),
    codes: z
      .record(z.string(), z.string())
      .optional()
      .meta({
        description:
          'Codes of the people who act in these entries, or whose membership they change, by user. The entries themselves have no codes, because codes may change.',
        examples: [{ [examples.responder.identifier]: 'P-017' }],
      }),
    reviewed: reviewed.optional().meta({ description: 'Absent before the first review of the log.' }),
    next: nextCursor,
  })
  .meta({ id: 'Activities' });
export const activities = new Hono<Env>().get(
  '/investigation/:id/activity',
  documented({
    id: 'listActivities',
    tag,
    summary: 'Lists who did what in a study',
    description:
      'With `Accept: application/x-ndjson` the whole log is streamed, oldest first, an entry to a line; the query does not apply. Such a download is an entry itself, `data.exported`, and the last one that it brings. A page ends after about a million characters, and one with `action`, `item` or `code` after the thousand entries that it looked at: it may hold fewer entries than `limit`, even none, and still have `next`.',
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
                hash: examples.hash,
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
    problems: ['resource.not-found', 'action.forbidden', 'limit.reached'],
  }),
  query(listQuery),
  async (c) => {
    const { cursor: before, ...filter } = c.req.valid('query');
    const study = c.req.param('id');
    c.header('Vary', 'Accept', { append: true });
    if (prefers(c, ndjson)) return exported(c, study);
    await firstSlice();
    const page = await listActivities(contextOf(c), study, { ...filter, before: before?.[0] });
    const next = page.next === undefined ? undefined : encodeCursor([page.next]);
    linkNext(c, next);
    const list: z.input<typeof activityList> = {
      investigation: `investigation/${study}`,
      activities: page.rows.map(toActivity),
      ...(page.reviewed && { reviewed: toReviewed(page.reviewed) }),
      ...(Object.keys(page.codes).length > 0 && { codes: page.codes }),
      ...(next && { next }),
    };
    return c.json(list);
  },
);

/** The whole log, streamed oldest first, with one page in memory. */
async function exported(c: RequestContext<Env>, study: string) {
  const context = contextOf(c);
  c.get('work')?.beLong();
  if (c.req.method !== 'HEAD') await recordLogExport(context, study);
  const sight = await readSight(context, study);
  const page = async (after?: number): Promise<Page<ExportedActivity>> => {
    const { entries, more } = await exportActivities(context, study, { sight, after });
    const last = entries.at(-1);
    return { rows: entries, more: more && last ? () => page(last.position) : null };
  };
  const first = await firstPage(c, page);
  const row = (entry: ExportedActivity) => `${JSON.stringify(toActivity(entry))}\n`;
  return c.body(streamRows(c, first, { head: '', row, tail: '' }), 200, { 'content-type': ndjson }) as never;
}

const toActivity = (
  row: Omit<ListedActivity, 'action' | 'characters'> & { action: string },
): z.input<typeof activity> => ({
  ...shownEntry(row),
  action: row.action as Action,
  actorName: row.actorName ?? '',
  hash: row.hash,
  ...(row.redacted && { redacted: true }),
});
