import { getPhone, join, moveDates, normalised, perform, signUp, withIdentifiers } from './actions.ts';
import type { Context, Finished, Run } from './context.ts';
import { type DatabaseModel, openSimulatedDatabase, type SimulatedDatabase } from './database.ts';
import type { DeliveryModel } from './delivery-objects.ts';
import { deterministic, drawsByMinute } from './determinism.ts';
import { createFaults } from './faults.ts';
import { createHabits } from './habits.ts';
import { findViolations } from './invariants.ts';
import { createPeople } from './people.ts';
import { createRelay, type RelayModel } from './push.ts';
import { newMember, type Records, timeline } from './records.ts';
import { type Fault, type Scenario, ScenarioError } from './scenario.ts';
import { createServer, type Server } from './server.ts';
import { createLooks, lookAround } from './sights.ts';
import { emailOf, tokenOf } from './tokens.ts';
import { createTraces } from './traces.ts';
import { createWorld } from './world.ts';
import { settleZones, upgradeZones } from './zone-upgrades.ts';

export interface Models {
  database?: DatabaseModel;
  relay?: RelayModel;
  /** Absent: one delivery object. */
  delivery?: DeliveryModel;
  /** Adds to the study after its set-up. The invariants are then left to the caller. */
  populate?: (context: Context, database: SimulatedDatabase) => Promise<void>;
  /** The study has too many people for a look at all of their occurrences after each event. */
  crowded?: boolean;
}

/** Time for work under way at the end to finish: longer than the longest delay between two attempts. */
const windDownMs = 12 * 60_000;
export const theTeam = 'the team';

/**
 * Runs a study through the application, its jobs and its model in simulated time, and passes the result to `use` before
 * the database closes. Runs of the same scenario are identical. A process can do only one at a time.
 */
export async function simulate<T>(
  scenario: Scenario,
  use: (run: Run) => Promise<T>,
  models: Models = {},
): Promise<T> {
  const world = createWorld(scenario.from);
  const work = () => {
    const task = world.task();
    return task && `${task.name} ${task.nth}`;
  };
  for (const { name } of scenario.members) await tokenOf(name);
  await tokenOf(theTeam);
  return deterministic(scenario.seed, { work, wait: world.wait }, async () => {
    const random = drawsByMinute(scenario.seed + 1, world.at);
    let activeFaults: Fault[] = [];
    /** Nothing takes time while the study is set up and while the results are read. */
    let instant = true;
    const faults = createFaults(world, () => activeFaults, random);
    let server: Server | undefined;
    const crash = (point: Parameters<Server['crashAt']>[0]) => server?.crashAt(point) ?? false;
    const database = await openSimulatedDatabase(world, faults, crash, {
      latencyMs: scenario.latency.databaseMs,
      instant: () => instant,
      ...models.database,
    });
    try {
      const relay = createRelay(world, faults, crash, random, {
        latencyMs: scenario.latency.relayMs,
        instant: () => instant,
        ...models.relay,
      });
      const { delivery } = models;
      server = createServer(world, faults, { database, push: relay, delivery }, scenario);
      const people = createPeople(world, server, random);
      const records = emptyRecords(scenario);
      const context: Context = { world, people, relay, records };
      const sources = [...server.sources];
      const traces = createTraces(database);
      const prepare = async () => {
        await server?.prepare();
        if (!models.crowded) await traces.look();
      };
      const go = (until: number) => world.run(until, sources, prepare);

      const ready = people.act(records.study.founder, () => setUp(context, scenario));
      // Awaited below, after time has passed for it.
      ready.catch(() => {});
      await go(scenario.from);
      await ready;
      await settleZones(database);
      await models.populate?.(context, database);
      instant = false;
      activeFaults = scenario.faults;
      sources.unshift(script(context, scenario, server, database));
      sources.push(createLooks(context, database, scenario));
      sources.push(createHabits(context, scenario, drawsByMinute(scenario.seed + 2, world.at)));
      await go(scenario.until);
      // Nothing fails from here on, since no time is left to make up for it.
      activeFaults = [];
      server.restart();
      await go(scenario.until + windDownMs);
      instant = true;
      if (!models.crowded && records.study.properties.length > 0) {
        records.looks.wrong.push(...((await lookAround(context, database)) ?? []));
        records.looks.done++;
      }
      const run: Finished = {
        scenario,
        world,
        server,
        database,
        relay,
        people,
        records,
        refusals: people.refusals,
        untraced: traces.found(),
      };
      return await use({ ...run, violations: models.populate ? [] : await findViolations(run) });
    } finally {
      database.close();
    }
  });
}

function emptyRecords(scenario: Scenario): Records {
  const founder = scenario.members.find((member) => member.role === 'owner')?.name ?? theTeam;
  const names = new Set([founder, ...scenario.members.map(({ name }) => name)]);
  const specOf = (name: string) => scenario.members.find((one) => one.name === name);
  const recordOf = (name: string) =>
    newMember(name, specOf(name)?.role ?? 'owner', specOf(name)?.scope ?? null);
  return {
    study: {
      id: '',
      founder,
      timeZone: timeline(scenario.study.timeZone),
      startsOn: timeline(''),
      participationDays: timeline(scenario.study.participationDays ?? null),
      archived: timeline(false),
      frozen: timeline(false),
      properties: scenario.study.properties ?? [],
    },
    members: new Map([...names].map((name) => [name, recordOf(name)])),
    surveys: new Map(),
    looks: { done: 0, wrong: [] },
  };
}

/** The study as it is when the first day begins. No faults yet, and no time passes. */
async function setUp(context: Context, scenario: Scenario) {
  const { people, records, world } = context;
  const { founder } = records.study;
  const specOf = (name: string) => scenario.members.find((one) => one.name === name);
  await signUp(context, founder, specOf(founder) ?? {});
  const study = await people.ask(founder, 'POST', '/investigation', {
    name: scenario.name,
    ...scenario.study,
  });
  records.study.id = study?.body.identifier ?? '';
  records.study.startsOn.change(study?.body.startsOn ?? '', world.at())(world.at());
  records.members.get(founder)?.member.change(true, world.at())(world.at());
  for (const survey of scenario.surveys) await createSurvey(context, survey);
  for (const survey of scenario.surveys) await setTrigger(context, survey);
  for (const member of scenario.members) {
    const later = member.joins !== undefined && member.joins !== null && member.joins > scenario.from;
    if (later) await invite(context, member);
    else {
      if (member.name !== founder) await signUp(context, member.name, member);
      if (member.name !== founder && member.joins !== null) await join(context, member.name, member);
      await settleIn(context, member);
    }
  }
}

type SurveySpec = Scenario['surveys'][number];

const isTriggered = ({ reminders }: SurveySpec) => reminders?.type === 'triggered';

async function createSurvey({ people, records }: Context, survey: SurveySpec) {
  const { name } = survey;
  const reminders = isTriggered(survey) ? null : survey.reminders;
  const created = await people.ask(
    records.study.founder,
    'POST',
    `/investigation/${records.study.id}/survey`,
    {
      name,
      items: [{ identifier: 'q1', label: 'How are you?' }],
      reminders,
      ...(survey.for && { for: survey.for }),
    },
  );
  if (!created)
    throw new ScenarioError(`the survey '${name}' was refused: ${people.refusals.at(-1)?.detail}`);
  records.surveys.set(name, {
    name,
    id: created.body.identifier,
    reminders: timeline({ revision: 0, given: normalised(reminders), again: false }),
    archived: timeline(false),
    for: timeline(survey.for ?? null),
  });
}

/** Once all surveys are there, since they may trigger each other. */
async function setTrigger({ people, records, world }: Context, survey: SurveySpec) {
  const { name } = survey;
  const record = records.surveys.get(name);
  if (!isTriggered(survey) || !record) return;
  const reminders = withIdentifiers(records, survey.reminders);
  const set = await people.ask(records.study.founder, 'PATCH', `/survey/${record.id}`, { reminders });
  if (!set)
    throw new ScenarioError(`the reminders of '${name}' were refused: ${people.refusals.at(-1)?.detail}`);
  record.reminders.change(
    { revision: 1, given: normalised(reminders), again: false },
    world.at(),
  )(world.at());
}

type Spec = Scenario['members'][number];

function invite({ people, records, world }: Context, { name, role, properties, scope }: Spec) {
  if (properties) records.members.get(name)?.properties.change(properties, world.at())(world.at());
  return people.ask(records.study.founder, 'POST', `/investigation/${records.study.id}/member`, {
    email: emailOf(name),
    role,
    ...(properties && { properties }),
    ...(scope && { scope }),
  });
}

async function settleIn(context: Context, { name, phones, downloads, ...course }: Spec) {
  const { founder } = context.records.study;
  if (course.dates || course.participation) await moveDates(context, { who: founder, of: name, ...course });
  for (const phone of phones) await getPhone(context, name, phone);
  for (const survey of downloads)
    await context.people.ask(name, 'POST', `/survey/${context.records.surveys.get(survey)?.id}/download`);
}

/** An invited person signs up, which makes them a member. */
async function arrive(context: Context, member: Spec) {
  const record = context.records.members.get(member.name);
  // An archived study takes nobody in: the invitation goes on waiting.
  const isOpen = !context.records.study.archived.last();
  const confirm = record?.member.change(isOpen, context.world.at());
  await signUp(context, member.name, member);
  confirm?.(context.world.at());
  await settleIn(context, member);
}

/** The events and faults of the file, in order of time. */
function script(context: Context, scenario: Scenario, server: Server, database: SimulatedDatabase) {
  const entries: { at: number; go: () => void }[] = [
    ...scenario.events.map((event) => ({ at: event.at, go: () => perform(context, event) })),
    ...scenario.members.flatMap((member) =>
      member.joins && member.joins > scenario.from
        ? [
            {
              at: member.joins,
              go: () => void context.people.act(member.name, () => arrive(context, member)),
            },
          ]
        : [],
    ),
    ...scenario.faults.flatMap((fault) => {
      if (fault.what === 'clock')
        return [
          { at: fault.at, go: () => context.world.jump(fault.minutes * 60_000) },
          ...(fault.until
            ? [{ at: fault.until, go: () => context.world.jump(-fault.minutes * 60_000) }]
            : []),
        ];
      if (fault.what === 'deploy') return [{ at: fault.at, go: () => server.crash(0) }];
      if (fault.what === 'zones')
        return [
          {
            at: fault.at,
            go: () => {
              server.crash(0);
              void upgradeZones(server, database, context.world.now(), fault);
            },
          },
        ];
      if (fault.what === 'crash' && fault.point === 'now' && fault.at < scenario.until)
        return [{ at: fault.at, go: () => server.crash(fault.downSeconds * 1000) }];
      return [];
    }),
  ].sort((a, b) => a.at - b.at);
  return {
    next: () => entries[0]?.at ?? null,
    fire: () => entries.shift()?.go(),
  };
}
