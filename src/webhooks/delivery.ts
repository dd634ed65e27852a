import { attempt } from '../attempt.ts';
import type { ChangeKind, ChangeState } from '../changes/schema.ts';
import type { Database } from '../db/database.ts';
import { query } from '../db/query.ts';
import { newIdentifier } from '../identifiers.ts';
import type { Services, Webhooks } from '../services.ts';
import { afterFailure } from './plan.ts';
import type { WebhookCall } from './schema.ts';
import { signedHeaders } from './signature.ts';

type Delivering = Pick<Services, 'db' | 'now' | 'log' | 'webhooks'>;

/** Changes of one call. */
const batchSize = 100;

/** Changes that one call looks at, if most are of other kinds. */
const batchScan = 1000;

/** Longer than a call and its record: a webhook whose process died is called again after it. */
const leaseMs = 30_000;

/** Longest turn of a webhook; `goOn` then gives it another. */
const turnMs = 10_000;

/** Most due webhooks that a poll reads, and those of them that it calls. */
const maxFound = 1000;
const maxCalled = 100;

/** Wait before a webhook of a deleted study is polled again. */
const deletedMs = 3600_000;

/** Calls in the list of deliveries. */
const keptCalls = 50;

const due = (condition: string) =>
  `select id, investigation_id as study,
      coalesce((select creator_id from investigation i where i.id = investigation_id), '') as owner
    from webhook where ${condition} next_attempt_at <= :now
    order by next_attempt_at limit ${maxFound}`;
const dueOfAll = due('');
const dueOfChanged = due(
  '(id = :changed or investigation_id in (select investigation_id from change where identifier = :changed)) and',
);

export interface DueWebhook {
  id: string;
  study: string;
  /** The creator of the study. */
  owner: string;
}

/** Webhooks that are due: their study has changed, or a call is to be repeated. One row is read where none is. */
export const selectDueWebhooks = (db: Database, now: number) => query<DueWebhook>(db, dueOfAll, { now });

/** Round-robin order: one webhook of each owner, or study, before the second of any. */
function inTurns(found: readonly DueWebhook[], by: 'owner' | 'study'): DueWebhook[] {
  const counts = new Map<string, number>();
  const turns = found.map((webhook) => {
    const turn = counts.get(webhook[by]) ?? 0;
    counts.set(webhook[by], turn + 1);
    return { webhook, turn };
  });
  return turns.sort((a, b) => a.turn - b.turn).map(({ webhook }) => webhook);
}

/**
 * Calls the webhooks that are due, each from its position on, until it has caught up, a call fails, or its turn is over.
 * More than may be called at once get invocations of their own. A webhook that another poll works on is left to it.
 * @param found the due webhooks, if they were read already; or those of the studies of a changed thing, by its identifier
 * or that of a webhook
 */
export async function deliverWebhooks(
  services: Delivering,
  found?: readonly DueWebhook[] | string,
): Promise<void> {
  const { db, now, webhooks } = services;
  if (!webhooks) return;
  const due =
    typeof found === 'string'
      ? await query<DueWebhook>(db, dueOfChanged, { now: now(), changed: found })
      : (found ?? (await selectDueWebhooks(db, now())));
  // So that the webhooks of one study, or of one owner, hold up no other's.
  const next = inTurns(inTurns(due, 'study'), 'owner').slice(0, maxCalled);
  const called = next.slice(0, webhooks.maxConcurrent);
  const { withSlot = (_, work) => work() } = webhooks;
  const bounds = {
    calls: Math.max(1, Math.floor(webhooks.maxCalls / called.length)),
    turnMs,
  };
  await Promise.all([
    // First, so that no slow receiver holds them up.
    ...next
      .slice(webhooks.maxConcurrent)
      .map(({ id }) => attempt(services, 'webhooks.failed', () => webhooks.goOn(id))),
    ...called.map((webhook) =>
      attempt(services, 'webhooks.failed', () =>
        withSlot(webhook, () => deliver({ ...services, webhooks }, webhook.id, bounds)),
      ),
    ),
  ]);
}

/** A claimed batch: the row as it is called. */
interface Claimed {
  id: string;
  investigation: string;
  url: string;
  secret: string;
  previousSecret: string | null;
  previousUntil: number | null;
  position: number;
  failures: number;
  failingSince: number | null;
  /** The header `webhook-id`. */
  batch: string;
  /** The last sequence of the batch; null: nothing is new. */
  through: number | null;
  latest: number;
  deleted: number;
}

interface Named {
  sequence: number;
  kind: ChangeKind;
  identifier: string;
  state: ChangeState;
  at: number;
}

/**
 * Claims a webhook that is due. A batch ends where it was first cut, however often it is repeated, so that the same
 * `webhook-id` never names a change that came later; what has changed again since is left to a later batch.
 */
const claiming = (db: Database, id: string, now: number) =>
  [
    query<Claimed>(
      db,
      `update webhook set
          next_attempt_at = iif(${isDeleted}, :now + ${deletedMs}, :now + ${leaseMs}),
          called_at = :now,
          batch_id = coalesce(batch_id, :batch),
          batch_through = coalesce(batch_through, (select max(sequence) from (
            select sequence, sum(matches) over (order by sequence) as n from (
              select c.sequence, ${isOfKind} as matches from change c
              where c.investigation_id = webhook.investigation_id and c.sequence > webhook.position
              order by c.sequence limit ${batchScan})) where n <= ${batchSize}))
        where id = :id and status = 'active' and next_attempt_at <= :now
        returning id, investigation_id as investigation, url, secret, previous_secret as previousSecret,
          previous_until as previousUntil, position, failures, failing_since as failingSince, batch_id as batch,
          batch_through as through, ${isDeleted} as deleted,
          (select coalesce(max(c.sequence), 0) from change c where c.investigation_id = webhook.investigation_id) as latest`,
      { id, now, batch: `msg_${newIdentifier(now)}` },
    ),
    query<Named>(
      db,
      `select c.sequence, c.kind, c.identifier, c.state, c.at from webhook
        join change c on c.investigation_id = webhook.investigation_id
          and c.sequence > webhook.position and c.sequence <= webhook.batch_through
        where webhook.id = :id and ${isOfKind} order by c.sequence limit ${batchSize}`,
      { id },
    ),
    // The trigger of the next change makes it due again.
    query(
      db,
      `update webhook set next_attempt_at = null, batch_id = null
        where id = :id and next_attempt_at = :now + ${leaseMs} and batch_through is null`,
      { id, now },
    ),
  ] as const;

const isDeleted =
  'exists (select 1 from deleted_study d where d.investigation_id = webhook.investigation_id)';
const isOfKind = '(webhook.kinds is null or c.kind in (select value from json_each(webhook.kinds)))';

async function deliver(
  { db, now, webhooks }: Delivering & { webhooks: Webhooks },
  id: string,
  { calls, turnMs }: { calls: number; turnMs: number },
): Promise<void> {
  if (webhooks.stops?.()) return;
  const end = now() + turnMs;
  let [[claimed], changes] = await db.batch([...claiming(db, id, now())]);
  for (let left = calls; claimed && claimed.through !== null && !claimed.deleted; left -= 1) {
    const call = changes.length > 0 ? await callOnce({ now, webhooks }, claimed, changes) : undefined;
    const at = now();
    if (call?.error !== undefined) {
      await settleFailed(db, claimed, call, at);
      return;
    }
    const settled = settleReceived(db, claimed, call, at);
    if (left <= 1 || at >= end || webhooks.stops?.()) {
      await settled;
      if (!webhooks.stops?.()) await webhooks.goOn(id);
      return;
    }
    [, [claimed], changes] = await db.batch([settled, ...claiming(db, id, at)]);
  }
}

async function callOnce(
  { now, webhooks }: { now: () => number; webhooks: Webhooks },
  claimed: Claimed,
  changes: Named[],
): Promise<WebhookCall> {
  const body = JSON.stringify({
    type: 'study.changed',
    investigation: `investigation/${claimed.investigation}`,
    changes: changes.map(({ sequence, kind, identifier, state, at }) => ({
      sequence,
      kind,
      identifier,
      state,
      at: new Date(at).toISOString(),
    })),
    next: claimed.through,
    latest: claimed.latest,
  });
  return callSigned({ now, webhooks }, claimed, { id: claimed.batch, body, changes: changes.length });
}

type Signing = Pick<Claimed, 'url' | 'secret' | 'previousSecret' | 'previousUntil'>;

/** Calls a receiver once. The call has an `error` unless the receiver answered 2xx. */
async function callSigned(
  { now, webhooks }: { now: () => number; webhooks: Webhooks },
  { url, secret, previousSecret, previousUntil }: Signing,
  { id, body, changes }: { id: string; body: string; changes: number },
): Promise<WebhookCall> {
  const at = now();
  const isRotating = previousSecret !== null && previousUntil !== null && at < previousUntil;
  const secrets = isRotating ? [secret, previousSecret] : [secret];
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Fieldbell',
    ...(await signedHeaders(secrets, { id, at, body })),
  };
  const answer = await webhooks.call({ url, headers, body });
  const call = { id, at, status: answer.status, ms: now() - at, changes };
  if (answer.status === null) return { ...call, error: answer.error };
  return answer.status >= 200 && answer.status <= 299 ? call : { ...call, error: faultOf(answer, url) };
}

/** Longest address in an error. */
const maxLocation = 200;

/**
 * The status, and of a redirect the address to enter instead: without its query, which may be a secret, and as long as an
 * error is.
 */
function faultOf({ status, location }: { status: number; location?: string }, url: string): string {
  const error = `HTTP ${status}`;
  const to = status >= 300 && status <= 399 && location !== undefined ? URL.parse(location, url) : null;
  if (!to || !/^https?:$/.test(to.protocol)) return error;
  return `${error}: the address leads to ${`${to.origin}${to.pathname}`.slice(0, maxLocation)}`;
}

const withCall = `(select json_group_array(json(value)) from (select value from (
    select -1 as n, :call as value union all select key, value from json_each(webhook.calls))
  where value is not null order by n limit ${keptCalls}))`;

/** Moves the cursor, unless somebody moved it meanwhile; a batch of which nothing was left moves it without a call. */
const settleReceived = (db: Database, claimed: Claimed, call: WebhookCall | undefined, now: number) =>
  query(
    db,
    `update webhook set position = batch_through, batch_id = null, batch_through = null,
        next_attempt_at = iif(status = 'active', :now, null), calls = ${withCall}
        ${call ? ', failures = 0, failing_since = null' : ''}
      where id = :id and batch_id = :batch and position = :position`,
    {
      id: claimed.id,
      batch: claimed.batch,
      position: claimed.position,
      now,
      call: call ? JSON.stringify(call) : null,
    },
  );

const settleFailed = (db: Database, claimed: Claimed, call: WebhookCall, now: number) => {
  const { failures, failingSince, status, nextAttemptAt } = afterFailure(claimed, {
    status: call.status,
    now,
    random: Math.random(),
  });
  return query(
    db,
    `update webhook set failures = :failures, failing_since = :failingSince, calls = ${withCall},
        next_attempt_at = iif(status = 'active', :next, null), status = iif(status = 'active', :status, status)
      where id = :id and batch_id = :batch and position = :position`,
    {
      id: claimed.id,
      batch: claimed.batch,
      position: claimed.position,
      failures,
      failingSince,
      status,
      next: nextAttemptAt,
      call: JSON.stringify(call),
    },
  );
};

/** Calls the receiver with a test, which names no change and moves no cursor. Needs a webhook that the caller may see. */
export async function testWebhook(
  { db, now, webhooks }: { db: Database; now: () => number; webhooks?: Webhooks | undefined },
  id: string,
): Promise<WebhookCall> {
  if (!webhooks) throw new Error('this service calls no webhooks');
  const [found] = await query<Signing & { investigation: string; latest: number }>(
    db,
    `select url, secret, previous_secret as previousSecret, previous_until as previousUntil,
        investigation_id as investigation,
        (select coalesce(max(c.sequence), 0) from change c where c.investigation_id = webhook.investigation_id) as latest
      from webhook where id = :id`,
    { id },
  );
  if (!found) throw new Error('the webhook was removed');
  const body = JSON.stringify({
    type: 'webhook.test',
    investigation: `investigation/${found.investigation}`,
    changes: [],
    latest: found.latest,
  });
  const call = await callSigned({ now, webhooks }, found, {
    id: `msg_${newIdentifier(now())}`,
    body,
    changes: 0,
  });
  await query(db, `update webhook set calls = ${withCall} where id = :id`, {
    id,
    call: JSON.stringify(call),
  });
  return call;
}
