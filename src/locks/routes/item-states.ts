import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { contextOf, type Env } from '../../http/context.ts';
import { documented } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { nothing } from '../../http/openapi/shapes.ts';
import { signature } from '../../http/signature.ts';
import { body, identifier, text } from '../../http/validation.ts';
import { changeItems, type ItemsChange } from '../item-states.ts';

const tag = 'Locking';
const maxItems = 1000;
const list = z
  .array(z.strictObject({ identifier }), { error: 'Expected a list of { identifier }.' })
  .default([]);

/** The items, and the state that they get. */
const fieldsOf = <const S extends string>(statuses: readonly [S, S]) =>
  z.strictObject({
    cases: list,
    responses: list,
    status: z.enum(statuses, { error: `Expected ${statuses.join(' or ')}.` }),
    reason: text(1, 500).optional(),
  });

type List = z.output<typeof list>;

/** A repeated identifier counts once. */
const distinct = (items: List) => new Set(items.map((item) => item.identifier)).size;

const withItems = <T extends z.ZodType<{ cases: List; responses: List }>>(schema: T) =>
  schema
    .refine(({ cases, responses }) => cases.length + responses.length > 0, {
      error: 'Expected at least one of cases or responses, with at least one identifier.',
    })
    .refine(({ cases, responses }) => distinct(cases) + distinct(responses) <= maxItems, {
      error: `Expected at most ${maxItems} different identifiers in all.`,
    });

const lockBody = withItems(fieldsOf(['locked', 'unlocked']).extend({ signature }));
const archiveBody = withItems(fieldsOf(['archived', 'active']));
const deleteBody = withItems(fieldsOf(['deleted', 'active']));

/** The problems of archiving and deleting. */
const refusals = [
  'resource.not-found',
  'items.not-found',
  'action.forbidden',
  'item.locked',
  'limit.reached',
  'study.frozen',
] as const;

export const itemStates = new Hono<Env>()
  .post(
    '/investigation/:id/lock-items',
    documented({
      id: 'lockItems',
      tag,
      summary: 'Locks or unlocks cases and responses',
      description:
        'Everyone who may view an item may lock and unlock it, unless the lock policy of the study leaves unlocking to owners. All or nothing; items that are already in the state stay as they are. At least one identifier, at most 1000 in all; a repeated identifier counts once.',
      request: {
        cases: [{ identifier: examples.case.identifier }],
        status: 'locked',
        reason: 'Interim analysis',
      },
      answers: nothing('Every item is in the requested state.'),
      problems: [
        'resource.not-found',
        'items.not-found',
        'action.forbidden',
        'auth.sign-in-stale',
        'limit.reached',
        'study.frozen',
      ],
    }),
    body(lockBody),
    (c) => {
      const { status, ...items } = c.req.valid('json');
      return changed(c, { ...items, transition: status === 'locked' ? 'lock' : 'unlock' });
    },
  )
  .post(
    '/investigation/:id/archive-items',
    documented({
      id: 'archiveItems',
      tag,
      summary: 'Archives cases and responses, or brings them back',
      description: 'All or nothing; refused when any item is locked.',
      request: { responses: [{ identifier: examples.response.identifier }], status: 'archived' },
      answers: nothing('Every item is in the requested state.'),
      problems: refusals,
    }),
    body(archiveBody),
    (c) => {
      const { status, ...items } = c.req.valid('json');
      return changed(c, { ...items, transition: status === 'archived' ? 'archive' : 'unarchive' });
    },
  )
  .post(
    '/investigation/:id/delete-items',
    documented({
      id: 'deleteItems',
      tag,
      summary: 'Deletes cases and responses, or brings them back',
      description:
        'All or nothing; refused when any item is locked. Deleted items free their room at once. An owner may bring them back for 30 days, if the study has room for them; then they are purged.',
      request: { responses: [{ identifier: examples.response.identifier }], status: 'deleted' },
      answers: nothing('Every item is in the requested state.'),
      problems: refusals,
    }),
    body(deleteBody),
    (c) => {
      const { status, ...items } = c.req.valid('json');
      return changed(c, { ...items, transition: status === 'deleted' ? 'delete' : 'undelete' });
    },
  );

async function changed(c: Context<Env, '/investigation/:id/*'>, change: ItemsChange) {
  await changeItems(contextOf(c), c.req.param('id'), change);
  return c.body(null, 204);
}
