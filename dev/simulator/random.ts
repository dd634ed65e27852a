import { seeded } from './determinism.ts';
import { offsetAt } from './oracle/clock.ts';
import { crashPoints, type ScenarioFile } from './scenario.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const zones = [
  'Europe/Paris',
  'America/New_York',
  'America/Los_Angeles',
  'Asia/Tokyo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'UTC',
];
/** The eves of clock changes in Paris, New York and Lord Howe, and two days without a change. */
const starts = ['2027-03-27', '2027-03-13', '2027-04-03', '2027-10-30', '2027-06-08', '2027-12-30'];
const names = ['Ada', 'Chidi', 'Dana', 'Emil'];

/** A small study of a day or two in which much goes wrong, as a file would describe it. */
export function randomScenario(seed: number): ScenarioFile {
  const random = seeded(seed ^ 0x5eed);
  const below = (n: number) => Math.floor(random() * n);
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const chance = (share: number) => random() < share;
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: below(most + 1) }, make);

  const from = Date.parse(`${one(starts)}T00:00:00Z`) + below(24) * hourMs;
  const hours = 10 + below(22);
  const iso = (ms: number) => new Date(ms).toISOString();
  const due: number[] = [];
  /** Often close to a due time, where changes and faults meet work under way. */
  const moment = () => {
    if (due.length > 0 && chance(0.7)) return one(due) + (below(20) - 6) * 1000 + below(1000);
    return from + below(hours * 60) * minuteMs + below(60_000);
  };
  const within = () => iso(Math.min(Math.max(moment(), from + 1000), from + hours * hourMs - 1000));
  const wallTime = () => `${String(below(24)).padStart(2, '0')}:${one(['00', '30'])}`;

  const surveys = Array.from({ length: chance(0.6) ? 1 : 2 }, (_, n) => ({
    name: `Survey ${n + 1}`,
    reminders: reminders(),
  }));
  const members = names.slice(0, chance(0.8) ? 2 : 3).map((name, n) => ({
    name,
    role: n === 0 ? ('owner' as const) : ('responder' as const),
    ...(chance(0.3) && { customRemindersTime: wallTime() }),
    ...(chance(0.3) && { timeZone: one(zones) }),
    phones: Array.from({ length: chance(0.35) ? 2 : 1 }, (_, p) => phone(`phone ${p + 1}`)),
    downloads: surveys
      .filter(({ reminders: { type } }) => type === 'fixed' && chance(0.8))
      .map((survey) => survey.name),
    ...(n > 0 && chance(0.2) && { joins: within() }),
  }));
  const owner = names[0] as string;
  due.push(...dueTimes());

  /** When reminders are due on each day and in each zone of the members if nothing changes. */
  function dueTimes(): number[] {
    const zonesOf = members.flatMap((member) => member.phones.map(({ timeZone }) => timeZone));
    const times = surveys.map(({ reminders: { recurrence } }) => recurrence.split(' ').map(Number));
    const all = [-1, 0, 1, 2].flatMap((day) =>
      times.flatMap(([minute = 0, hour = 0]) =>
        zonesOf.map((zone) => {
          const midnight = Math.floor(from / (24 * hourMs)) * 24 * hourMs + day * 24 * hourMs;
          return midnight + hour * hourMs + minute * minuteMs - offsetAt(from, zone);
        }),
      ),
    );
    return all.filter((at) => at > from && at < from + hours * hourMs);
  }

  function reminders() {
    const fixed = chance(0.3);
    const [hour, minute] = [below(24), one([0, 30])];
    return {
      type: fixed ? 'fixed' : 'rolling',
      recurrence: `${minute} ${hour} * * ${fixed ? one(['*', '0-2', '0,2', '1']) : one(['*', '*', '1-5', '0,6'])}`,
      ends: !fixed && chance(0.2) ? 1 + below(2) : null,
      delay: !fixed && chance(0.2) ? below(2) : null,
      unlessAnswered: chance(0.4),
      expiresAfter: one([2, 30, 360, 360, 1440]),
      notification: { subject: 'Bell', body: 'How are you?' },
    };
  }

  function phone(name: string) {
    return { name, platform: one(['android', 'ios'] as const), timeZone: one(zones) };
  }

  function event(): NonNullable<ScenarioFile['events']>[number] {
    const at = within();
    const who = one(members).name;
    const survey = one(surveys).name;
    const base = { at, who };
    const editor = { at, who: owner };
    const actions: (() => NonNullable<ScenarioFile['events']>[number])[] = [
      () => ({ ...base, does: 'travels', to: one(zones) }),
      () => ({ ...base, does: 'travels', to: one(zones) }),
      () => ({ ...base, does: 'chooses-time', time: chance(0.3) ? null : wallTime() }),
      () => ({ ...base, does: 'answers', survey }),
      () => ({ ...base, does: 'downloads', survey }),
      () => ({
        ...base,
        does: 'pauses',
        until: chance(0.3) ? null : iso(Date.parse(at) + (1 + below(24)) * hourMs),
        onlyStudy: chance(0.5),
      }),
      () => ({ ...base, does: 'resumes', onlyStudy: chance(0.5) }),
      () => ({ ...base, does: 'gets-phone', phone: phone(one(['phone 2', 'phone 3'])) }),
      () => ({ ...base, does: 'deletes-phone', phone: 'phone 1' }),
      () => ({ ...base, does: 'uninstalls-app', phone: 'phone 1' }),
      () => ({ ...base, does: 'new-token', phone: 'phone 1' }),
      () => ({ ...base, does: 'takes-phone', phone: 'phone 1', of: one(members).name }),
      () => ({ ...base, who: one(members.slice(1)).name, does: 'leaves' }),
      () => ({ ...base, who: one(members.slice(1)).name, does: 'joins' }),
      () => ({ ...base, who: one(members.slice(1)).name, does: 'joins' }),
      () => ({ ...editor, does: 'edits-reminders', survey, reminders: chance(0.1) ? null : reminders() }),
      () => ({ ...editor, does: 'edits-reminders', survey, reminders: reminders() }),
      () => ({ ...editor, does: 'archives-survey', survey }),
      () => ({ ...editor, does: 'restores-survey', survey }),
      () => ({
        ...editor,
        does: 'changes-study',
        startsOn: iso(from + (below(5) - 2) * 24 * hourMs).slice(0, 10),
      }),
      () => ({ ...editor, does: 'changes-study', timeZone: one(zones) }),
      () => ({ ...editor, does: one(['archives-study', 'restores-study', 'restores-study']) }),
      () =>
        chance(0.2)
          ? { ...base, who: one(members.slice(1)).name, does: 'deletes-account' }
          : { ...base, does: 'resumes' },
    ];
    return one(actions)();
  }

  function fault(): NonNullable<ScenarioFile['faults']>[number] {
    const start = moment() - (chance(0.5) ? below(5) * minuteMs : 0);
    const lasting = (minutes: number) => ({ from: iso(start), until: iso(start + minutes * minuteMs) });
    const share = one([0.2, 0.5, 1]);
    const faults: (() => NonNullable<ScenarioFile['faults']>[number])[] = [
      () => ({ what: 'relay', is: 'throttled', share, ...lasting(10) }),
      () => ({ what: 'relay', is: 'down', share, ...lasting(1 + below(120)) }),
      () => ({ what: 'relay', is: 'slow', ms: one([300, 2000, 5000]), share, ...lasting(20) }),
      () => ({ what: 'relay', is: 'misconfigured', share, ...lasting(10) }),
      () => ({
        what: 'database',
        is: one(['overloaded', 'lost-before-commit', 'lost-after-commit', 'timeout']),
        share: one([0.1, 0.3, 1]),
        ...lasting(1 + below(10)),
      }),
      () => ({ what: 'database', is: 'slow', ms: one([50, 500, 3000]), share, ...lasting(30) }),
      () => ({
        what: 'alarms',
        is: one(['lost', 'stuck', 'twice']),
        share,
        ...lasting(60 * (1 + below(24))),
      }),
      () => ({
        what: 'alarms',
        is: 'late',
        ms: one([5_000, 59_000, 62_000, 180_000]),
        share,
        ...lasting(600),
      }),
      () => ({ what: 'sweeps', is: one(['lost', 'twice']), share, ...lasting(60) }),
      () => ({ what: 'crash', at: iso(start), point: one(crashPoints), downSeconds: one([0, 2, 60, 3600]) }),
      () => ({ what: 'crash', at: iso(start), point: one(crashPoints), downSeconds: one([0, 2]) }),
      () => ({ what: 'clock', at: iso(start), minutes: one([60, -60, 7, -7]) }),
      () => ({ what: 'deploy', at: iso(start) }),
    ];
    return one(faults)();
  }

  /** From one moment to another, or until the end. */
  const freeze = (): NonNullable<ScenarioFile['events']> => {
    const [at, end] = [within(), within()].sort() as [string, string];
    return [
      { at, who: owner, does: 'freezes-study' },
      ...(chance(0.8) ? [{ at: end, who: owner, does: 'unfreezes-study' as const }] : []),
    ];
  };

  function quietHours() {
    const from = below(24);
    return {
      from: `${String(from).padStart(2, '0')}:30`,
      to: `${String((from + 1 + below(12)) % 24).padStart(2, '0')}:00`,
    };
  }

  const changedQuietHours = (): NonNullable<ScenarioFile['events']>[number] => ({
    at: within(),
    who: one(members).name,
    does: 'chooses-quiet-hours',
    quietHours: chance(0.4) ? null : quietHours(),
  });

  /** The same days, with several times each. */
  const sampled = (plain: ReturnType<typeof reminders>) => ({
    ...plain,
    recurrence: plain.recurrence.replace(/^\S+ \S+/, '* *'),
    windows: [
      { from: '00:30', to: '05:00', count: 1 + below(3) },
      { from: '10:00', to: one(['10:40', '16:00']), count: 1 + below(2) },
      { from: '18:00', to: '23:59', count: 1 },
    ],
    minGap: one([5, 30]),
  });

  /** The same, with nudges, if one has room before it expires. */
  function nudged<R extends ReturnType<typeof reminders>>(plain: R): R {
    const every = one([5, 7, 20, 60, 150]);
    const most = Math.min(10, Math.floor(plain.expiresAfter / every));
    if (most === 0 || chance(0.2)) return plain;
    const followUps = { every, max: 1 + below(most), stop: one(['answered', 'answered', 'opened']) };
    return { ...plain, followUps };
  }

  const upgrade = (): NonNullable<ScenarioFile['faults']>[number] => ({
    what: 'zones',
    at: within(),
    timeZone: one(members.flatMap((member) => member.phones)).timeZone,
    minutes: one([60, 60, 30, -60]),
  });

  const scenario = {
    name: `seed ${seed}`,
    seed,
    from: iso(from),
    until: iso(from + hours * hourMs),
    study: { timeZone: one(zones), startsOn: iso(from + (below(3) - 1) * 24 * hourMs).slice(0, 10) },
    surveys,
    members,
    events: some(9, event),
    faults: some(5, fault),
    latency: { relayMs: one([0, 0, 200, 1500, 4000]), databaseMs: one([0, 0, 5, 300]) },
    reconcile: chance(0.3),
  };
  // Last, so that a seed is the same study with and without them.
  const upgrades = chance(0.3) ? [upgrade()] : [];
  const freezes = chance(0.3) ? freeze() : [];
  const samples = chance(0.3);
  const quiet = chance(0.3);
  const changedHours = quiet ? some(2, changedQuietHours) : [];
  const quietMembers = quiet ? members.map((member) => ({ ...member, quietHours: quietHours() })) : members;
  const all = samples
    ? surveys.map(({ name, reminders }) => ({ name, reminders: sampled(reminders) }))
    : surveys;
  const nudges = chance(0.5);
  const habits = { share: one([0.2, 0.5]), after: [0, 1, 5, 7, 20, 60, 150], snooze: [5, 7, 20, 60, 240] };
  const reactive = nudges || chance(0.2);
  return {
    ...scenario,
    alarms: chance(0.3) ? 'timer' : 'objects',
    faults: [...scenario.faults, ...upgrades],
    events: [...scenario.events, ...freezes, ...changedHours].map((event) =>
      nudges && event.does === 'edits-reminders' && event.reminders
        ? { ...event, reminders: nudged(event.reminders as ReturnType<typeof reminders>) }
        : event,
    ),
    surveys: nudges ? all.map(({ name, reminders }) => ({ name, reminders: nudged(reminders) })) : all,
    members: reactive ? quietMembers.map((member) => ({ ...member, habits })) : quietMembers,
  };
}
