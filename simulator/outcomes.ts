import { createHash } from 'node:crypto';
import type { Run } from './context.ts';
import { createNames, type Names } from './outcome-names.ts';
import { readHistory, type Shown } from './results.ts';
import { readResponses } from './tables.ts';

/**
 * A run as its users and its team see it, in a form that depends on no identifier and on no order that nobody sees. Of two
 * services that do the same it is the same, up to the moment within a minute at which each thing was done.
 */
export interface Outcome {
  violations: string[];
  /** By phone and survey, in order of time. */
  pushes: Record<string, { at: string; of: string; kind: string }[]>;
  /** By person, by survey, by occurrence. */
  history: Record<string, Record<string, Record<string, unknown>>>;
  agenda: Record<string, unknown>;
  /** By person and survey. */
  answers: Record<string, { at: string; of: string | null; deleted: boolean }[]>;
  compliance: unknown;
  refusals: string[];
}

export async function readOutcome(run: Run): Promise<Outcome> {
  const people = [...run.records.members.keys()];
  const histories = new Map<string, Shown[]>();
  for (const name of people) histories.set(name, await readHistory(run, name));
  const names = createNames(run, histories);
  const agenda: Outcome['agenda'] = {};
  for (const name of people) agenda[name] = await read(run, name, '/user/me/agenda?count=8');
  return {
    violations: names.named(run.violations),
    pushes: pushesOf(run, histories, names),
    history: historyOf(histories, names),
    agenda: names.named(agenda),
    answers: await answersOf(run, names),
    compliance: names.named(await complianceOf(run)),
    refusals: names.named(run.refusals.map(({ who, what, status }) => `${who}: ${what}: ${status}`)).sort(),
  };
}

/** The same for the same outcome, to the millisecond. */
export const digestOf = (outcome: Outcome): string =>
  createHash('sha256').update(JSON.stringify(outcome)).digest('hex').slice(0, 16);

const iso = (ms: number) => new Date(ms).toISOString();

async function read({ people }: Run, who: string, path: string): Promise<unknown> {
  const { status, body } = await people.once(who, 'GET', path);
  return status === 200 ? body : status;
}

const grouped = <T>(list: readonly T[], key: (one: T) => string): [string, T[]][] =>
  [...Map.groupBy(list, key)].toSorted(([a], [b]) => (a < b ? -1 : 1));

function pushesOf(run: Run, histories: ReadonlyMap<string, Shown[]>, names: Names): Outcome['pushes'] {
  const kinds = new Map<string, string>();
  for (const { deliveries, followUps = [] } of [...histories.values()].flat()) {
    for (const { messageId = '' } of deliveries) kinds.set(messageId, 'first');
    for (const { kind, deliveries: later = [] } of followUps)
      for (const { messageId = '' } of later) kinds.set(messageId, kind);
  }
  const surveys = new Map([...run.records.surveys.values()].map(({ id, name }) => [id, name]));
  const byPhone = grouped(run.relay.accepted, ({ token, survey }) => `${token}, ${surveys.get(survey)}`);
  return Object.fromEntries(
    byPhone.map(([phone, pushes]) => [
      phone,
      pushes.map(({ at, collapseId, messageId }) => ({
        at: iso(at),
        of: names.ofNotification(collapseId),
        kind: kinds.get(messageId) ?? 'not in the history',
      })),
    ]),
  );
}

function historyOf(histories: ReadonlyMap<string, Shown[]>, names: Names): Outcome['history'] {
  const results = (deliveries: Shown['deliveries']) =>
    deliveries
      .map(({ at, error = 'accepted', ...of }) => ({ phone: names.ofPhone(of), at, result: error }))
      .sort((a, b) => (a.phone < b.phone ? -1 : 1));
  const entry = ({ identifier: _, deliveries, followUps = [], ...rest }: Shown) =>
    names.named({
      ...rest,
      deliveries: results(deliveries),
      followUps: followUps.map((one) => ({ ...one, deliveries: results(one.deliveries ?? []) })),
    });
  const ofSurveys = (shown: Shown[]) =>
    grouped(shown, ({ survey }) => names.named(survey)).map(([survey, all]) => [
      survey,
      Object.fromEntries(all.map((one) => [names.ofNotification(one.identifier), entry(one)])),
    ]);
  return Object.fromEntries(
    [...histories].map(([name, shown]) => [name, Object.fromEntries(ofSurveys(shown))]),
  );
}

async function answersOf({ database }: Run, names: Names): Promise<Outcome['answers']> {
  const stored = [...(await readResponses(database)), ...(await readResponses(database, 'set_aside'))];
  const lists = grouped(stored, ({ responder, survey }) => names.named(`${responder}, ${survey}`));
  return Object.fromEntries(
    lists.map(([key, list]) => [
      key,
      list
        .map(({ given, notification, deleted }) => ({
          at: iso(given),
          of: notification && names.ofNotification(notification),
          deleted,
        }))
        .sort((a, b) => (a.at < b.at ? -1 : 1)),
    ]),
  );
}

const dayMs = 86_400_000;

/** The counts of all days, as the founder reads them. */
async function complianceOf(run: Run): Promise<unknown> {
  const { id, founder } = run.records.study;
  const day = (at: number) => iso(at).slice(0, 10);
  const period = `from=${day(run.scenario.from - 3 * dayMs)}&to=${day(run.scenario.until + 3 * dayMs)}`;
  const path = `/investigation/${id}/compliance`;
  const found = await read(run, founder, `${path}?${period}&limit=100`);
  const days = await read(run, founder, `${path}/daily?${period}`);
  if (typeof found !== 'object') return found;
  const { participants, totals } = found as {
    participants: { name: string; code?: string }[];
    totals: unknown;
  };
  const byName = participants.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { totals, participants: byName.map(({ code: _, ...rest }) => rest), days };
}
