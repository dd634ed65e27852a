import { type DatabaseModel, openSimulatedDatabase, type SimulatedDatabase } from './database.ts';
import { deterministic, seeded } from './determinism.ts';
import { createFaults } from './faults.ts';
import { findViolations } from './invariants.ts';
import { createPeople, type People, type Refusal } from './people.ts';
import { createRelay, type RelayModel, type SimulatedRelay } from './push.ts';
import { newMember, type Records, timeline } from './record.ts';
import { type Fault, type Scenario, ScenarioError } from './scenario.ts';
import { getPhone, join, normalised, perform, type Stage, signUp } from './script.ts';
import { createServer, type Server } from './server.ts';
import { emailOf, tokenOf } from './tokens.ts';
import { createWorld, type World } from './world.ts';

/** What is left of a run: everything that a report or a test asks for. */
export interface Run {
  scenario: Scenario;
  world: World;
  server: Server;
  database: SimulatedDatabase;
  relay: SimulatedRelay;
  people: People;
  records: Records;
  refusals: Refusal[];
  violations: string[];
}

export interface Models {
  database?: DatabaseModel;
  relay?: RelayModel;
  /** Puts more into the study than its file says, once it is set up; then the invariants are not checked here. */
  populate?: (stage: Stage, database: SimulatedDatabase) => Promise<void>;
}

/** After the end, for work under way to be finished: longer than the longest wait between two tries. */
const windDownMs = 12 * 60_000;
export const theTeam = 'the team';

/**
 * Runs a described study through the application, its jobs and its model, in simulated time, and hands the result to
 * `use` before the database is closed. Runs with the same scenario are identical. One at a time in a process.
 */
export async function simulate<T>(
  scenario: Scenario,
  use: (run: Run) => Promise<T>,
  models: Models = {},
): Promise<T> {
  const world = createWorld(scenario.from);
  const timers = { simulated: () => world.task() !== undefined, wait: world.wait };
  for (const { name } of scenario.members) await tokenOf(name);
  await tokenOf(theTeam);
  return deterministic(scenario.seed, timers, async () => {
    const random = seeded(scenario.seed + 1);
    let striking: Fault[] = [];
    /** Nothing takes time while the study is set up, nor when the results are read. */
    let calm = true;
    const faults = createFaults(world, () => striking, random);
    let server: Server | undefined;
    const crash = (point: Parameters<Server['crashAt']>[0]) => server?.crashAt(point) ?? false;
    const database = await openSimulatedDatabase(world, faults, crash, {
      latencyMs: scenario.latency.databaseMs,
      calm: () => calm,
      ...models.database,
    });
    try {
      const relay = createRelay(world, faults, crash, random, {
        latencyMs: scenario.latency.relayMs,
        calm: () => calm,
        ...models.relay,
      });
      server = createServer(world, faults, { database, push: relay }, scenario);
      const people = createPeople(world, server, random);
      const records = emptyRecords(scenario);
      const stage: Stage = { world, people, relay, records };
      const sources = [...server.sources];
      const go = (until: number) => world.run(until, sources, server?.prepare);

      const ready = people.act(records.study.founder, () => setUp(stage, scenario));
      // Waited for below, once it had its time.
      ready.catch(() => {});
      await go(scenario.from);
      await ready;
      await models.populate?.(stage, database);
      calm = false;
      striking = scenario.faults;
      sources.unshift(script(stage, scenario, server, database));
      await go(scenario.until);
      // What fails from now on fails for good, so nothing does.
      striking = [];
      server.replayDeadLetters();
      await go(scenario.until + windDownMs);
      calm = true;
      const run = { scenario, world, server, database, relay, people, records, refusals: people.refusals };
      return await use({ ...run, violations: models.populate ? [] : await findViolations(run) });
    } finally {
      database.close();
    }
  });
}

function emptyRecords(scenario: Scenario): Records {
  const founder = scenario.members.find((member) => member.role === 'owner')?.name ?? theTeam;
  const names = new Set([founder, ...scenario.members.map(({ name }) => name)]);
  const roleOf = (name: string) => scenario.members.find((one) => one.name === name)?.role ?? 'owner';
  return {
    study: {
      id: '',
      founder,
      timeZone: timeline(scenario.study.timeZone),
      startsOn: timeline(''),
      archived: timeline(false),
    },
    members: new Map([...names].map((name) => [name, newMember(name, roleOf(name))])),
    surveys: new Map(),
  };
}

/** The study as it stands when the first day begins. No fault strikes here, and no time passes. */
async function setUp(stage: Stage, scenario: Scenario) {
  const { people, records, world } = stage;
  const { founder } = records.study;
  const specOf = (name: string) => scenario.members.find((one) => one.name === name);
  await signUp(stage, founder, specOf(founder) ?? {});
  const study = await people.ask(founder, 'POST', '/investigation', {
    name: scenario.name,
    ...scenario.study,
  });
  records.study.id = study?.body.identifier ?? '';
  records.study.startsOn.change(study?.body.startsOn ?? '', world.at())(world.at());
  records.members.get(founder)?.member.change(true, world.at())(world.at());
  for (const { name, reminders } of scenario.surveys) {
    const survey = await people.ask(founder, 'POST', `/investigation/${records.study.id}/survey`, {
      name,
      items: [],
      reminders,
    });
    if (!survey)
      throw new ScenarioError(`the survey '${name}' was refused: ${people.refusals.at(-1)?.detail}`);
    const given = timeline({ revision: 0, given: normalised(reminders) });
    records.surveys.set(name, {
      name,
      id: survey.body.identifier,
      reminders: given,
      archived: timeline(false),
    });
  }
  for (const member of scenario.members) {
    const later = member.joins !== undefined && member.joins !== null && member.joins > scenario.from;
    if (later) await invite(stage, member);
    else {
      if (member.name !== founder) await signUp(stage, member.name, member);
      if (member.name !== founder && member.joins !== null) await join(stage, member.name);
      await settleIn(stage, member);
    }
  }
}

type Spec = Scenario['members'][number];

const invite = ({ people, records }: Stage, { name, role }: Spec) =>
  people.ask(records.study.founder, 'POST', `/investigation/${records.study.id}/member`, {
    email: emailOf(name),
    role,
  });

async function settleIn(stage: Stage, { name, phones, downloads }: Spec) {
  for (const phone of phones) await getPhone(stage, name, phone);
  for (const survey of downloads)
    await stage.people.ask(name, 'POST', `/survey/${stage.records.surveys.get(survey)?.id}/download`);
}

/** Somebody who was invited signs up, which makes them a member. */
async function arrive(stage: Stage, member: Spec) {
  const record = stage.records.members.get(member.name);
  const confirm = record?.member.change(true, stage.world.at());
  await signUp(stage, member.name, member);
  confirm?.(stage.world.at());
  await settleIn(stage, member);
}

/** A new version takes over: what was under way ends, and older rows lack what newer code writes. */
function deploy(server: Server, database: SimulatedDatabase) {
  server.crash(0);
  void database.look(
    `update scheduled_notification set deliveries = null where settled_at is null and deliveries = '[]'`,
  );
}

/** What the file says is to happen, in order of time. */
function script(stage: Stage, scenario: Scenario, server: Server, database: SimulatedDatabase) {
  const entries: { at: number; go: () => void }[] = [
    ...scenario.events.map((event) => ({ at: event.at, go: () => perform(stage, event) })),
    ...scenario.members.flatMap((member) =>
      member.joins && member.joins > scenario.from
        ? [{ at: member.joins, go: () => void stage.people.act(member.name, () => arrive(stage, member)) }]
        : [],
    ),
    ...scenario.faults.flatMap((fault) => {
      if (fault.what === 'clock')
        return [{ at: fault.at, go: () => stage.world.jump(fault.minutes * 60_000) }];
      if (fault.what === 'deploy') return [{ at: fault.at, go: () => deploy(server, database) }];
      if (fault.what === 'crash' && fault.point === 'now')
        return [{ at: fault.at, go: () => server.crash(fault.downSeconds * 1000) }];
      return [];
    }),
  ].sort((a, b) => a.at - b.at);
  return {
    next: () => entries[0]?.at ?? null,
    fire: () => entries.shift()?.go(),
  };
}
