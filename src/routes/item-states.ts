import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { Env } from '../http/context.ts';
import { body, identifier, text } from '../http/validation.ts';
import { changeItems, type ItemsRequest, type Transition } from '../model/item-states.ts';
import * as docs from './docs/item-states.ts';

const mostItems = 1000;
const list = z
  .array(z.strictObject({ identifier }), { error: 'Expected a list of { identifier }.' })
  .default([]);

/** Body of the three routes: which items, and which of two states they get. */
const itemsBody = <const S extends string>(statuses: readonly [S, S]) =>
  z
    .strictObject({
      cases: list,
      responses: list,
      status: z.enum(statuses, { error: `Expected ${statuses.join(' or ')}.` }),
      reason: text(1, 500).optional(),
    })
    .refine(({ cases, responses }) => cases.length + responses.length > 0, {
      error: 'Expected at least one of cases or responses, with at least one identifier.',
    })
    .refine(({ cases, responses }) => cases.length + responses.length <= mostItems, {
      error: `Expected at most ${mostItems} identifiers in all.`,
    });

const lock = body(itemsBody(['locked', 'unlocked']));
const archive = body(itemsBody(['archived', 'active']));
const remove = body(itemsBody(['deleted', 'active']));

export const itemStates = new Hono<Env>()
  .post('/investigation/:id/lock-items', docs.lock, lock, (c) => {
    const { status, ...items } = c.req.valid('json');
    return change(c, status === 'locked' ? 'lock' : 'unlock', items);
  })
  .post('/investigation/:id/archive-items', docs.archive, archive, (c) => {
    const { status, ...items } = c.req.valid('json');
    return change(c, status === 'archived' ? 'archive' : 'unarchive', items);
  })
  .post('/investigation/:id/delete-items', docs.remove, remove, (c) => {
    const { status, ...items } = c.req.valid('json');
    return change(c, status === 'deleted' ? 'delete' : 'undelete', items);
  });

async function change(c: Context<Env, '/investigation/:id/*'>, transition: Transition, items: ItemsRequest) {
  const { db, now } = c.get('services');
  await changeItems(
    db,
    { actor: c.get('actor'), investigation: c.req.param('id'), transition },
    items,
    now(),
  );
  return c.body(null, 204);
}
