import { setTimeout as sleep } from 'node:timers/promises';
import { tick } from '../../src/operations/jobs.ts';
import { longBodies, longTextsOf } from '../http/support/costs/long-texts.ts';
import { makeRequest } from '../http/support/fuzz/requests.ts';
import { startOddReceiver } from '../support/odd-receiver.ts';
import { enrol, participantOf } from '../support/participants.ts';
import { type Person, requestOf, signUp } from '../support/people.ts';
import type { Random } from '../support/random.ts';
import { draws } from '../support/seed.ts';
import type { Judge } from './crowd-judge.ts';
import { type CrowdWorld, from } from './crowd-world.ts';

/** Something that hostile people do, drawn from `random`, with the judge beside them. */
export type Act = (world: CrowdWorld, judge: Judge, random: Random) => Promise<void>;

/** Long enough for work that grows faster than its text, and cheap otherwise. */
const textBytes = 60_000;
const atOnce = 60;
/** A call ends within ten seconds, and the minute with it. */
const minutePatienceMs = 45_000;

/** A person with the code of the poster. */
async function poster({ service, code }: CrowdWorld, random: Random): Promise<Person> {
  const send = from(service, `198.51.100.${random.int(250)}`);
  return participantOf(service.world, await enrol({ ...service.world, send }, code));
}

/** Reads an answer as it comes, without a look at it. */
async function drain(answer: Response) {
  const reader = answer.body?.getReader();
  while (reader && !(await reader.read()).done);
}

const shuffled = <T>(list: readonly T[], random: Random): T[] =>
  list
    .map((one) => ({ one, at: random.fraction() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);

/** Texts of all bodies as long as they get, by somebody new whenever a limit of requests may be near. */
const longTexts: Act = async (world, judge, random) => {
  const { service, routes, own } = world;
  const texts = longTextsOf(textBytes);
  const share = draws(3) / 10;
  let sender = world.oscar;
  let sent = 0;
  const words = {
    identifiers: [own],
    emails: ['zoe@example.org'],
    words: { '/investigation': [own], '/user': ['me'] },
  };
  for (const route of shuffled(routes, random))
    for (const { what, body } of longBodies(route, texts).filter(() => random.chance(share))) {
      if (++sent % 200 === 0) sender = await signUp(service.world, `Sender ${sent}`);
      const { path } = makeRequest(route, random, words);
      const call = requestOf({ token: sender.token, method: route.method.toUpperCase(), body });
      const name = `${route.operation.operationId} with ${what}`;
      await judge.answersMeanwhile(
        name,
        async () => void (await drain(await service.app.request(path, call))),
      );
      // One such place is enough, and each costs as much as it costs.
      if (judge.findings.length > 3) return;
    }
};

/** The same expensive read many times at once. */
const crowds: Act = async ({ service, oscar, own }, judge, random) => {
  const study = `/investigation/${own}`;
  const reads: [string, string, Record<string, string>?][] = [
    ['exports', '/user/me/export'],
    ['lists', `${study}/responses`],
    ['CSVs', `${study}/responses`, { accept: 'text/csv' }],
    ['lists of cases', `${study}/cases`],
    ['pages', `${study}/responses?limit=1000`],
  ];
  for (const [what, path, headers = {}] of shuffled(reads, random)) {
    const request = requestOf({ token: oscar.token, headers });
    const ask = async () => drain(await service.app.request(path, request));
    await judge.answersMeanwhile(`${atOnce} ${what} at once`, () =>
      Promise.all(Array.from({ length: atOnce }, ask)),
    );
  }
};

/** Receivers that answer in odd ways, or not at all, when the minute comes. */
const receivers: Act = async ({ service, oscar, own }, judge, random) => {
  const odd = await startOddReceiver();
  const kinds = shuffled(['switches', 'silent', 'drips', 'endless', 'half-closes', 'owes-body'], random);
  for (const kind of kinds)
    await oscar.post(`/investigation/${own}/webhook`, { url: `${odd.url}/${kind}`, after: 0 });
  await service.client.execute('update webhook set next_attempt_at = 1');
  const ended = await Promise.race([
    tick(service.services, 0).then(() => true),
    sleep(minutePatienceMs, false),
  ]);
  if (!ended) judge.find('minutes go on', `the minute waits for one of ${kinds.join(', ')}`);
  await service.client.execute('delete from webhook');
  await odd.close();
};

/** Names whose servers never answer, as many as tests of webhooks ask for. */
const resolvers: Act = async ({ service, oscar, own, resolver }, judge) => {
  const add = (_: unknown, n: number) =>
    oscar.post(`/investigation/${own}/webhook`, { url: `https://silent-${n}.example.org/` });
  const hooks = await Promise.all(Array.from({ length: 10 }, add));
  const before = resolver.asked();
  const calls = hooks.map(({ body }) => oscar.post(`/webhook/${body.identifier}/test`));
  for (let turns = 0; turns < 5_000 && resolver.asked() === before; turns++) await sleep(1);
  if (resolver.asked() === before) judge.find('look-ups go on', 'no webhook was tried');
  if (resolver.holdsUpOthers())
    judge.find('look-ups go on', 'a push waits for names that nobody answers for');
  resolver.restore();
  await Promise.all(calls);
  await service.client.execute('delete from webhook');
};

/** A poster's code at one address, until it is used up; then somebody else comes. */
const posters: Act = async ({ service, code }, judge, random) => {
  const hostile = from(service, '203.0.113.7');
  const honest = from(service, `198.51.100.${random.int(250)}`);
  for (let n = 0, refused = 0; n < 1_000 && refused < 5; n++) {
    const { status } = await enrol({ ...service.world, send: hostile }, code);
    if (status !== 201) refused++;
  }
  const { status } = await enrol({ ...service.world, send: honest }, code);
  if (status !== 201) judge.find('codes last', `somebody else gets ${status}`);
};

/** A participant, and somebody with the poster's code, read all that they can. */
const readers: Act = async (world, judge, random) => {
  const { service, study, item, mallory } = world;
  const users = [study.owner, study.editor, study.responder, study.other].map(({ id }) => id);
  const words = {
    identifiers: [study.id, study.survey, item, ...users],
    emails: [],
    words: {
      '/investigation': [study.id],
      '/survey': [study.survey],
      '/case': [item],
      '/user': ['me', ...users],
      '/member': ['me', ...users],
      include: ['names'],
      user: users,
      survey: [study.survey],
    },
  };
  for (const person of [mallory, await poster(world, random)]) {
    // They are part of the study, by an answer to a case that they were given.
    await person.post(`/survey/${study.survey}/response`, { case: item, items: { q1: 'so' } });
    for (const route of world.routes.filter(({ method }) => method === 'get'))
      for (let n = 0; n < 2; n++) {
        const { path, headers } = makeRequest(route, random, words);
        const call = requestOf({ token: person.token, headers });
        const text = await (
          await service.app.request(n === 0 ? (path.split('?')[0] ?? path) : path, call)
        ).text();
        judge.noNames(`${route.operation.operationId} for ${person.name}`, text);
      }
  }
};

/** One participant answers as much as they can. */
const fillers: Act = async (world, judge, random) => {
  const { study, item } = world;
  const person = await poster(world, random);
  for (const count of [1_000, 100, 10, 1])
    for (let n = 0, refused = 0; n < 60 && refused < 3; n++) {
      const items = Object.fromEntries(Array.from({ length: count }, (_, k) => [`q${k}`, 'x'.repeat(900)]));
      const { status } = await person.post(`/survey/${study.survey}/response`, { case: item, items });
      if (status !== 201) refused++;
    }
  await judge.goesOn('one participant filled the study');
};

export const acts = { longTexts, crowds, receivers, resolvers, readers, fillers, posters } satisfies Record<
  string,
  Act
>;
export type ActName = keyof typeof acts;
