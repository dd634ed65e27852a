import {
  clockMoves,
  type Facts,
  givenOf,
  isInTime,
  occurrenceId,
  type Pair,
  possibleSettings,
  stamp,
} from './facts.ts';
import { wallAt } from './oracle/clock.ts';
import { clockZone } from './oracle/expected.ts';
import { fastCircle, fits, inOrder, type SlowFollowing, slowDue, slowOwed } from './oracle/triggers.ts';
import type { Accepted } from './push.ts';
import type { AnswerRecord, GivenReminders } from './records.ts';
import type { MemberSurvey, Row } from './tables.ts';

/** Longest time between reading the state of a user and writing down what was decided, with every retry. */
const decidingMs = 3 * 60_000;

/** Longest time from the beginning of a turn, at whose time it decides, to the reading of its state. */
const readingMs = 10_000;

type During = readonly [number, number];
type All = ReturnType<typeof possibleSettings>[number];
type Zones = Pick<All, 'timeZone' | 'studyZone'>;
type Settings = Zones & Pick<All, 'own' | 'days'>;

export const triggerOf = (given: GivenReminders): SlowFollowing | null =>
  given?.type === 'triggered' ? (given.trigger as SlowFollowing) : null;

/** The response of a row's key, such as `2027-06-08/019bd3a1f7c0/…`. */
export const responseOfKey = (on: string): string | undefined => on.split('/')[2];

/** Checks of reminders that follow responses (decision 28), beyond those of all reminders. */
export function findWrongTriggers(facts: Facts): string[] {
  return [
    ...findUnkept(facts),
    ...findCircle(facts),
    ...facts.pairs.flatMap((pair) => [
      ...findSettledTwice(pair).map((what) => label(pair, what)),
      ...(clockMoves(facts) ? [] : findUntrueSkips(facts, pair)).map((what) => label(pair, what)),
    ]),
    ...findStale(facts),
  ];
}

const label = ({ member, survey }: Pair, what: string) => `${member.name}, ${survey.name}, ${what}`;

/** The database has each response as its giver left it, once. */
function findUnkept({ run, responses }: Facts): string[] {
  const end = run.world.at();
  const stored = new Map(responses.map((one) => [one.id, one]));
  const answers = [...run.records.members.values()].flatMap((member) => member.answers);
  const wrong = answers.flatMap(({ id, sure, items, deleted }) => {
    const found = stored.get(id);
    if (!found) return sure <= end ? [`the response ${id} is not there`] : [];
    const isItems = items.possible(end, end).some((one) => show(one) === show(found.items));
    const isThere = deleted.possible(end, end).includes(found.deleted);
    return isItems && isThere ? [] : [`the response ${id} is not as it was left`];
  });
  return responses.length > answers.length ? [...wrong, 'there are responses that nobody gave'] : wrong;
}

const show = (items: Record<string, string>) => JSON.stringify(items);

/** Surveys that trigger each other wait for five minutes each: whatever else was asked for was refused. */
function findCircle({ run }: Facts): string[] {
  const triggers = new Map(
    [...run.records.surveys.values()].flatMap(({ id, reminders }) => {
      const trigger = triggerOf(reminders.last().given);
      return trigger ? [[id, trigger] as const] : [];
    }),
  );
  const fast = fastCircle(triggers);
  return fast === null ? [] : [`the survey ${fast} is in a circle and waits for less than five minutes`];
}

/** A response is settled once for all reminders of a survey. */
function findSettledTwice({ rows }: Pair): string[] {
  const known = new Set<string>();
  return rows.flatMap(({ on, settledAt, state }) => {
    const response = responseOfKey(on);
    if (response === undefined || settledAt === null || state === 'invalidated') return [];
    if (known.has(response)) return [`${on}: its response was settled twice`];
    known.add(response);
    return [];
  });
}

/** The one that is owed next, as a row has it. */
export function nextTriggered(
  facts: Facts,
  { member, rows, survey }: Pair,
  stored: MemberSurvey,
  settings: Settings,
) {
  const { given, revision } = survey.reminders.last();
  const trigger = triggerOf(given);
  if (!trigger) return null;
  const settled = rows.filter(({ settledAt, state }) => settledAt !== null && state !== 'invalidated');
  const timeZone = clockZone(given, settings);
  const [next] = slowOwed({
    trigger,
    responses: facts.responses.filter(
      (one) => one.responder === member.id && one.survey === trigger.survey && !one.deleted,
    ),
    settled: new Set(settled.flatMap(({ on }) => responseOfKey(on) ?? [])),
    timeZone,
    since: stored.since,
  }).filter(({ dueAt }) => isInTime({ stored }, settings, wallAt(dueAt, timeZone)));
  if (!next) return null;
  const last = settled
    .filter((row) => row.revision === revision)
    .toSorted((a, b) => (a.on < b.on ? -1 : 1))
    .at(-1);
  // Dates never go back from one occurrence to the next, even if their participant does.
  const dates = [wallAt(next.dueAt, timeZone).slice(0, 10), last?.on.slice(0, 10) ?? ''];
  return {
    on: `${dates.sort().at(-1)} ${next.response}`,
    dueAt: next.dueAt,
    revision,
    counter: last ? last.counter + 1 : 0,
  };
}

/** When a push for a response may have been due by these settings; null: its response may not have triggered it. */
export function triggeredDue(
  facts: Facts,
  { member, on }: Pick<Pair, 'member'> & Pick<Row, 'on'>,
  { given, during, ...zones }: { given: GivenReminders; during: During } & Zones,
): number | null {
  const trigger = triggerOf(given);
  const answer = member.answers.find(({ id }) => id === responseOfKey(on));
  if (!trigger || !answer || answer.survey !== trigger.survey || !mayTrigger(trigger, answer, during))
    return null;
  const own = asGiven(facts, answer);
  const others = member.answers.filter(({ id, survey }) => id !== answer.id && survey === trigger.survey);
  const isFirst = others.every(
    (one) => !surelyTriggers(trigger, one, during) || inOrder(own, asGiven(facts, one)) < 0,
  );
  if (trigger.each === false && !isFirst) return null;
  return slowDue(trigger, own.given, clockZone(given, zones));
}

const mayTrigger = (trigger: SlowFollowing, { from, deleted, items }: AnswerRecord, during: During) =>
  from <= during[1] &&
  deleted.possible(...during).includes(false) &&
  items.possible(...during).some((one) => fits(trigger, one));

const surelyTriggers = (trigger: SlowFollowing, { sure, deleted, items }: AnswerRecord, during: During) =>
  sure <= during[0] &&
  !deleted.possible(...during).includes(true) &&
  items.possible(...during).every((one) => fits(trigger, one));

const asGiven = ({ responses }: Facts, { id, fromNow }: AnswerRecord) => ({
  id,
  given: responses.find((one) => one.id === id)?.given ?? fromNow,
  items: {},
});

/** After an outage only the newest is pushed: no push while a newer response was owed one. */
function findStale(facts: Facts): string[] {
  if (clockMoves(facts)) return [];
  const pairs = new Map(facts.pairs.flatMap((pair) => pair.rows.map((row) => [occurrenceId(row), pair])));
  return facts.run.relay.accepted.flatMap((push) => {
    const row = facts.occurrenceOf(push.collapseId);
    const pair = pairs.get(push.collapseId);
    // Later pushes of one that was sent are the follow-up checks' business.
    if (!row || !pair || responseOfKey(row.on) === undefined || (row.settledAt ?? push.now) < push.runNow)
      return [];
    const newer = newerThan(facts, pair, row, push);
    return newer === undefined
      ? []
      : [label(pair, `${row.on}: sent ${stamp(push.at)}, when ${newer.id} was due as well`)];
  });
}

function newerThan(facts: Facts, pair: Pair, row: Row, push: Accepted): AnswerRecord | undefined {
  const { member, survey, stored, rows } = pair;
  const during = [push.runSince, push.at] as const;
  const own = member.answers.find(({ id }) => id === responseOfKey(row.on));
  const [reminders, ...others] = survey.reminders.possible(...during);
  const trigger = triggerOf(reminders?.given ?? null);
  if (!own || !trigger || others.length > 0 || trigger.each === false) return undefined;
  const isDone = (id: string) =>
    rows.some(
      ({ on, settledAt, state }) =>
        responseOfKey(on) === id &&
        settledAt !== null &&
        state !== 'invalidated' &&
        // A run may push several, one after the other: an earlier response may have come meanwhile.
        (settledAt < push.runNow || (state === 'sent' && settledAt <= push.now)),
    );
  return member.answers.find((one) => {
    const { given } = asGiven(facts, one);
    return (
      one.survey === trigger.survey &&
      inOrder(asGiven(facts, own), asGiven(facts, one)) < 0 &&
      surelyTriggers(trigger, one, during) &&
      !isDone(one.id) &&
      possibleSettings(facts, member, ...during).every((settings) => {
        const timeZone = clockZone(reminders?.given ?? null, settings);
        const dueAt = slowDue(trigger, given, timeZone);
        if (!isInTime(pair, settings, wallAt(dueAt, timeZone))) return false;
        return (stored?.since ?? Infinity) < dueAt && dueAt <= push.runNow;
      })
    );
  });
}

/** Whether the response of a row may have triggered nothing: deleted, changed, or not the first one. */
export function mayBeGone(
  { member }: Pick<Pair, 'member'>,
  { on, given, during }: Pick<Row, 'on'> & { given: GivenReminders; during: During },
): boolean {
  const trigger = triggerOf(given);
  const answer = member.answers.find(({ id }) => id === responseOfKey(on));
  if (!trigger || !answer || !surelyTriggers(trigger, answer, during)) return true;
  const isOther = ({ id, survey, from }: AnswerRecord) =>
    id !== answer.id && survey === trigger.survey && from <= during[1];
  return trigger.each === false && member.answers.some(isOther);
}

/** Reasons that only reminders of responses have, or have in a way of their own, held when they were written down. */
function findUntrueSkips(facts: Facts, pair: Pair): string[] {
  const { member, rows } = pair;
  return rows.flatMap((row) => {
    const { on, reason, settledAt } = row;
    const response = responseOfKey(on);
    const given = givenOf(pair, row);
    const trigger = triggerOf(given);
    if (settledAt === null || response === undefined || !trigger) return [];
    const during = [settledAt - decidingMs, settledAt] as const;
    const answer = member.answers.find(({ id }) => id === response);
    const others = member.answers.filter(({ id, survey }) => id !== response && survey === trigger.survey);
    const untrue = [`${on}: ${reason} at ${stamp(settledAt)}, which was not so`];
    if (reason === 'trigger-gone') return mayBeGone(pair, { on, given, during }) ? [] : untrue;
    if (reason !== 'superseded' || !answer) return [];
    const isNewer = others.some(
      (one) =>
        mayTrigger(trigger, one, [during[0], settledAt + readingMs]) &&
        inOrder(asGiven(facts, answer), asGiven(facts, one)) < 0 &&
        possibleSettings(facts, member, ...during).some(
          (settings) => slowDue(trigger, asGiven(facts, one).given, clockZone(given, settings)) <= settledAt,
        ),
    );
    const isBehind = rows.some(
      (one) =>
        one.revision === row.revision && one.on > on && one.settledAt !== null && one.settledAt <= settledAt,
    );
    return isNewer || isBehind ? [] : untrue;
  });
}
