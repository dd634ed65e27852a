import { asc, eq, sql } from 'drizzle-orm';
import { type ChangeKind, changeKinds } from '../changes/schema.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { invalid, limitReached } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import type { Action } from '../log/activities.ts';
import { changeOf } from '../log/details.ts';
import { logged } from '../log/logged.ts';
import { requireOpen } from '../permissions/edit-guards.ts';
import { selectSize } from '../permissions/limits.ts';
import { asMember, requireOwner, selectRole } from '../permissions/visibility.ts';
import { hashOfCreation, identifierTaken, selectCreation } from '../studies/creations.ts';
import { members } from '../studies/schema.ts';
import { nextCall, requireTurn } from './call-limit.ts';
import { type WebhookStatus, webhooks } from './schema.ts';
import { newWebhookSecret } from './signature.ts';

/** Most webhooks of one study. */
const maxWebhooks = 10;

/** How long the previous secret signs beside the newest. */
const rotationMs = 24 * 3600 * 1000;

export interface NewWebhook {
  url: string;
  kinds?: ChangeKind[] | undefined;
  /** Begins after this sequence; after the latest, if omitted. */
  after?: number | undefined;
  identifier?: string | undefined;
}

export interface WebhookChange {
  url?: string | undefined;
  kinds?: ChangeKind[] | undefined;
  status?: 'active' | 'paused' | undefined;
}

const latestOf = (study: string | typeof webhooks.investigationId) =>
  sql<number>`(select coalesce(max(c.sequence), 0) from change c where c.investigation_id = ${study})`;

const selectWebhooks = (db: Database, actor: string) =>
  db
    .select({
      id: sql<string>`${webhooks.id}`.as('webhook'),
      investigationId: sql<string>`${webhooks.investigationId}`.as('study'),
      url: webhooks.url,
      kinds: webhooks.kinds,
      position: webhooks.position,
      status: webhooks.status,
      failures: webhooks.failures,
      failingSince: webhooks.failingSince,
      calledAt: webhooks.calledAt,
      askedAt: webhooks.askedAt,
      nextAttemptAt: webhooks.nextAttemptAt,
      previousUntil: webhooks.previousUntil,
      calls: webhooks.calls,
      createdAt: sql<number>`${webhooks.createdAt}`.as('since'),
      latest: latestOf(webhooks.investigationId).as('latest'),
      role: members.role,
    })
    .from(webhooks)
    .innerJoin(members, asMember(webhooks.investigationId, actor))
    .$dynamic();

export type Webhook = Awaited<ReturnType<typeof readWebhook>>;

const does = 'see and change webhooks';

/** For owners. @throws resource.not-found, action.forbidden */
export async function readWebhook({ db, actor }: Context, id: string) {
  const [webhook] = await selectWebhooks(db, actor).where(eq(webhooks.id, id));
  requireOwner(webhook, does, 'webhook');
  return webhook;
}

/** The webhooks of a study, in order of creation; for owners. @throws resource.not-found, action.forbidden */
export async function listWebhooks({ db, actor }: Context, investigation: string) {
  const [[me], rows] = await db.batch([
    selectRole(db, investigation, actor),
    selectWebhooks(db, actor)
      .where(eq(webhooks.investigationId, investigation))
      .orderBy(asc(webhooks.createdAt), asc(webhooks.id)),
  ]);
  requireOwner(me, does);
  return rows;
}

async function requireUrl({ webhooks }: Context, url: string | undefined) {
  if (url === undefined) return;
  const fault = webhooks ? await webhooks.faultOf(url) : 'This service calls no webhooks.';
  if (fault !== null) throw invalid('/url', fault);
}

function requireReached(after: number, latest: number) {
  if (after > latest)
    throw invalid('/after', `Expected at most ${latest}, the latest sequence of the study.`);
}

/** The webhook as the log has it: paths of URLs may hold secrets. */
const shown = ({ url, kinds, status }: Pick<Webhook, 'url' | 'kinds' | 'status'>) => ({
  host: new URL(url).host,
  kinds: kinds ?? [...changeKinds],
  status,
});

/**
 * Adds a webhook; for owners. Its secret is in this answer only: a repeat with the same identifier and content finds the
 * webhook without it.
 * @throws request.invalid, resource.not-found, action.forbidden, study.archived, identifier.taken, limit.reached
 */
export async function createWebhook(context: Context, investigation: string, given: NewWebhook) {
  const { db, actor, now } = context;
  const { identifier: id = newIdentifier(now), url, kinds, after } = given;
  await requireUrl(context, url);
  const createdHash = await hashOfCreation({ actor, in: investigation, given: { url, kinds, after } });
  const read = () =>
    [
      selectCreation(db, webhooks, id),
      selectRole(db, investigation, actor),
      selectSize(db, investigation),
      db
        .select({
          count: sql<number>`(select count(*) from webhook w where w.investigation_id = ${investigation})`,
          latest: latestOf(investigation),
        })
        .from(sql`(select 1)`),
    ] as const;
  return logged(context, investigation, read, async ([[existing], [me], [size], [found]], write) => {
    requireOwner(me, does);
    if (existing && existing.createdHash !== createdHash) throw identifierTaken('webhook');
    if (existing) return { webhook: await readWebhook(context, id), created: false, secret: undefined };
    requireOpen(size);
    if (after !== undefined) requireReached(after, found?.latest ?? 0);
    if ((found?.count ?? 0) >= maxWebhooks)
      throw limitReached('webhooks', `The study has ${maxWebhooks} webhooks, and may have no more.`);
    const secret = newWebhookSecret();
    const details = { webhook: id, after: shown({ url, kinds: kinds ?? null, status: 'active' }) };
    await write({ investigation, action: 'webhook.added', details }, [
      db.insert(webhooks).values({
        id,
        investigationId: investigation,
        url,
        kinds: kinds ?? null,
        secret,
        position: after ?? latestOf(investigation),
        nextAttemptAt: after === undefined ? null : now,
        createdAt: now,
        createdHash,
      }),
    ]);
    return { webhook: await readWebhook(context, id), created: true, secret };
  });
}

/** Writes a change of a webhook with its entry in the log, if it has an action; for owners. */
function changeWebhook(
  context: Context,
  id: string,
  change: (webhook: Webhook) => {
    action?: Action;
    details?: Record<string, unknown>;
    /** Null removes the webhook; undefined leaves all as it is. */
    set?: Parameters<ReturnType<typeof context.db.update<typeof webhooks>>['set']>[0] | null;
  },
): Promise<Webhook> {
  const { db, actor } = context;
  const study = sql`(select investigation_id from webhook where id = ${id})`;
  const read = () => [selectWebhooks(db, actor).where(eq(webhooks.id, id))] as const;
  return logged(context, study, read, async ([[webhook]], append) => {
    requireOwner(webhook, does, 'webhook');
    const { action, details, set } = change(webhook);
    if (set === undefined) return webhook;
    const isThis = eq(webhooks.id, id);
    const write =
      set === null ? db.delete(webhooks).where(isThis) : db.update(webhooks).set(set).where(isThis);
    if (!action) await write;
    else
      await append({ investigation: webhook.investigationId, action, details: { webhook: id, ...details } }, [
        write,
      ]);
    return set === null ? webhook : readWebhook(context, id);
  });
}

/** Nothing of the earlier calls counts any more: the webhook begins again at its position. */
const fromTheStart = (at: number, status: WebhookStatus) => ({
  failures: 0,
  failingSince: null,
  batchId: null,
  batchThrough: null,
  nextAttemptAt: status === 'active' ? at : null,
});

/** For owners. @throws request.invalid, resource.not-found, action.forbidden, limit.reached */
export async function updateWebhook(context: Context, id: string, change: WebhookChange): Promise<Webhook> {
  await requireUrl(context, change.url);
  return changeWebhook(context, id, (before) => {
    const { url = before.url, kinds = before.kinds, status = before.status } = change;
    const details: Record<string, unknown> = { ...changeOf(shown(before), shown({ url, kinds, status })) };
    if (url !== before.url) details.url = 'changed';
    if (Object.keys(details).length === 0) {
      // A receiver that is there again need not wait for the next attempt.
      const triesAgain = change.status === 'active' && status === 'active' && before.failingSince !== null;
      return triesAgain ? { set: { nextAttemptAt: nextCall(before, context.now) } } : {};
    }
    const goesOn = url === before.url && !changeOf(shown(before), shown({ ...before, kinds }));
    return {
      action: 'webhook.changed',
      details,
      set: {
        url,
        kinds,
        status,
        // A pause keeps what is under way, so that its repeat has the same `webhook-id`.
        ...(goesOn && status === 'paused'
          ? { nextAttemptAt: null }
          : fromTheStart(nextCall(before, context.now), status)),
      },
    };
  });
}

/** For owners. @throws resource.not-found, action.forbidden, limit.reached */
export async function deleteWebhook(context: Context, id: string): Promise<void> {
  await changeWebhook(context, id, (before) => ({
    action: 'webhook.removed',
    details: { before: shown(before) },
    set: null,
  }));
}

/**
 * Gives the webhook a new secret, which is in this answer only; the old one signs too for a day. For owners.
 * @throws resource.not-found, action.forbidden, limit.reached
 */
export async function rotateSecret(context: Context, id: string) {
  const secret = newWebhookSecret();
  const previousUntil = context.now + rotationMs;
  const webhook = await changeWebhook(context, id, () => ({
    action: 'webhook.rotated',
    set: { previousSecret: sql`secret`, previousUntil, secret },
  }));
  return { webhook, secret };
}

/**
 * Moves the cursor, back or forth; for owners.
 * @throws request.invalid, resource.not-found, action.forbidden, limit.reached, rate.limited
 */
export async function replayFrom(context: Context, id: string, after: number): Promise<Webhook> {
  const webhook = await readWebhook(context, id);
  requireReached(after, webhook.latest);
  await requireTurn(context, webhook);
  return changeWebhook(context, id, ({ position, status }) => ({
    action: 'webhook.replayed',
    details: { before: { position }, after: { position: after } },
    set: {
      position: after,
      ...fromTheStart(context.now, status),
    },
  }));
}
