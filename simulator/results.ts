import type { Run } from './context.ts';
import { wallAt } from './oracle/clock.ts';

export interface Notification {
  survey: string;
  on: string;
  dueAt: string;
  /** `dueAt` by the participant's clock: `2027-03-25 21:30`. */
  local: string;
  timeZone: string;
  state: string;
  reason?: string;
  sentAt: string | null;
  lateSeconds: number;
  deliveries: { phone: string; at: string; messageId?: string; error?: string }[];
  /** The attempts after the first push. */
  followUps: FollowUp[];
}

export interface FollowUp {
  kind: 'nudge' | 'snooze';
  dueAt: string;
  at: string;
  state: 'retrying' | 'sent' | 'failed' | 'skipped';
  reason?: string;
}

export interface Participant {
  name: string;
  notifications: Notification[];
  phones: { name: string; shows: number; pushes: { at: string; title: string; collapseId: string }[] }[];
}

/** The outcome of a run, for programs. */
export interface Results {
  name: string;
  seed: number;
  from: string;
  until: string;
  participants: Participant[];
  refusals: { at: string; who: string; what: string; status: number; detail: string }[];
  violations: string[];
  totals: Totals;
}

export interface Totals
  extends Record<
    | 'sent'
    | 'skipped'
    | 'failed'
    | 'invalidated'
    | 'scheduled'
    | 'nudges'
    | 'snoozes'
    | 'pushes'
    | 'refusedPushes',
    number
  > {
  /** Nudges and snoozes, by reason. */
  leftOut: Record<string, number>;
}

interface Delivered {
  device: string;
  at: string;
  messageId?: string;
  error?: string;
}

/** A notification as the API shows it. */
export interface Shown {
  identifier: string;
  survey: string;
  on: string;
  slot?: number;
  response?: string;
  dueAt: string;
  sentAt: string | null;
  state: string;
  reason?: string;
  timeZone: string;
  deliveries: Delivered[];
  followUps?: (FollowUp & { deliveries?: Delivered[] })[];
}

interface Page {
  notifications: Shown[];
  next?: string;
}

/** Reads each participant's history over HTTP, together with the pushes that their phones show. */
export async function readResults(run: Run): Promise<Results> {
  const { scenario, records, relay } = run;
  const participants: Participant[] = [];
  for (const { name } of records.members.values()) participants.push(await readParticipant(run, name));
  const all = participants.flatMap(({ notifications }) => notifications);
  const followUps = all.flatMap((one) => one.followUps);
  const count = (state: string) => all.filter((one) => one.state === state).length;
  const countSent = (kind: FollowUp['kind']) =>
    followUps.filter((one) => one.kind === kind && one.state === 'sent').length;
  const leftOut: Record<string, number> = {};
  for (const { state, reason = '' } of followUps)
    if (state === 'skipped') leftOut[reason] = (leftOut[reason] ?? 0) + 1;
  return {
    name: scenario.name,
    seed: scenario.seed,
    from: iso(scenario.from),
    until: iso(scenario.until),
    participants,
    refusals: run.refusals.map((one) => ({ ...one, at: iso(one.at) })),
    violations: run.violations,
    totals: {
      sent: count('sent'),
      skipped: count('skipped'),
      failed: count('failed'),
      invalidated: count('invalidated'),
      scheduled: count('scheduled'),
      nudges: countSent('nudge'),
      snoozes: countSent('snooze'),
      leftOut,
      pushes: relay.accepted.length,
      refusedPushes: relay.refused,
    },
  };
}

/** Sums up several runs. */
export function sumTotals(all: readonly Totals[]): Totals {
  const [first, ...others] = all;
  if (!first) throw new Error('there are no totals');
  const add = <T extends Record<string, unknown>>(a: T, b: T): T => {
    const sum: Record<string, unknown> = { ...a };
    for (const [name, value] of Object.entries(b))
      sum[name] =
        typeof value === 'number' ? Number(sum[name] ?? 0) + value : add((sum[name] ?? {}) as T, value as T);
    return sum as T;
  };
  return others.reduce<Totals & Record<string, unknown>>((sum, one) => add(sum, { ...one }), { ...first });
}

/** A person's history by the API, in order of time; nothing of a deleted account. */
export async function readHistory({ people }: Pick<Run, 'people'>, name: string): Promise<Shown[]> {
  const found: Shown[] = [];
  for (let path: string | null = '/user/me/notifications?limit=1000'; path !== null; ) {
    const { status, body } = await people.once(name, 'GET', path);
    if (status !== 200) break;
    const { notifications, next }: Page = body;
    found.push(...notifications);
    path = next ? `/user/me/notifications?limit=1000&cursor=${next}` : null;
  }
  return found.reverse();
}

async function readParticipant(run: Run, name: string): Promise<Participant> {
  const record = run.records.members.get(name);
  const surveys = new Map([...run.records.surveys.values()].map(({ id, name: of }) => [id, of]));
  const phoneNames = new Map((record?.phones ?? []).map((phone) => [phone.id, phone.name]));
  const notifications = (await readHistory(run, name)).map((one) => ({
    survey: surveys.get(one.survey) ?? one.survey,
    on: one.on,
    dueAt: one.dueAt,
    local: wallAt(Date.parse(one.dueAt), one.timeZone),
    timeZone: one.timeZone,
    state: one.state,
    ...(one.reason !== undefined && { reason: one.reason }),
    sentAt: one.sentAt,
    lateSeconds: one.sentAt === null ? 0 : (Date.parse(one.sentAt) - Date.parse(one.dueAt)) / 1000,
    deliveries: one.deliveries.map(({ device, ...rest }) => ({
      phone: phoneNames.get(device) ?? device,
      ...rest,
    })),
    followUps: one.followUps ?? [],
  }));
  const phones = (record?.phones ?? []).map((phone) => {
    const pushes = run.relay.accepted.filter(({ token }) => token === phone.token);
    return {
      name: phone.name,
      // Pushes with the same collapse id show as one.
      shows: new Set(pushes.map(({ collapseId }) => collapseId)).size,
      pushes: pushes.map(({ at, title, collapseId }) => ({ at: iso(at), title, collapseId })),
    };
  });
  return { name, notifications, phones };
}

const iso = (ms: number) => new Date(ms).toISOString();
