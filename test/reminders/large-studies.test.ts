import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { planAll, walkWakes } from '../../src/reminders/jobs.ts';
import type { Services } from '../../src/services.ts';
import { countedD1 } from '../../tools/database/counted-d1.ts';
import { enrol, newCode } from '../support/participants.ts';
import { type Person, requestOf, type Sent } from '../support/people.ts';
import { newCase, type Study } from '../support/studies.ts';
import { addMembers, addSurveys } from '../support/worker/bulk.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { readChecked } from '../support/worker/contract.ts';
import { countScheduled } from '../support/worker/reminder-tables.ts';
import { daily, jobsDone } from '../support/worker/reminders.ts';
import { sleepStudy } from '../support/worker/world.ts';
import { following } from './support/triggers.ts';

/* The most surveys that a study has. A request waits for few of their plans, and the rest is made in pieces. */

const surveys = 200;

/** An application, and by D1's counters what its requests cost, and the work behind their answers. */
function counted() {
  const { counts, database } = countedD1(env.DB);
  const costs: { read: number; written: number }[] = [];
  /** The cost of each round trip. */
  const each = new Proxy(database, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (name !== 'batch') return member;
      return async (...all: Parameters<D1Database['batch']>) => {
        const { rowsRead, rowsWritten } = counts;
        const results = await target.batch(...all);
        costs.push({ read: counts.rowsRead - rowsRead, written: counts.rowsWritten - rowsWritten });
        return results;
      };
    },
  });
  const deferred: (() => Promise<void>)[] = [];
  const services: Services = {
    ...createServices(env),
    db: openD1(each),
    alarms: { arm: async () => {}, deliver: async () => {} },
    planElsewhere: (users: string[]) => planAll(services, users),
    log: () => {},
    defer: (work: () => Promise<void>) => void deferred.push(work),
  };
  const app = createApp(services, readConfig(env));
  /** The work behind the answers. */
  const settle = async () => {
    while (deferred.length > 0) await deferred.shift()?.();
  };
  /** The cost of work: its round trips, its rows, and the most that one of its batches does. */
  const costOf = async (work: () => Promise<unknown>) => {
    const before = { ...counts };
    costs.length = 0;
    await work();
    return {
      roundTrips: counts.roundTrips - before.roundTrips,
      rowsRead: counts.rowsRead - before.rowsRead,
      rowsWritten: counts.rowsWritten - before.rowsWritten,
      most: {
        read: Math.max(0, ...costs.map(({ read }) => read)),
        written: Math.max(0, ...costs.map(({ written }) => written)),
      },
    };
  };
  const ask = async (path: string, init: Sent) =>
    readChecked(init.method ?? 'GET', path, await app.request(path, init));
  const send = (by: Person, method: string, path: string, body?: object) =>
    ask(path, requestOf({ method, token: by.token, body }));
  return { services, costOf, settle, ask, send };
}

/** No batch does more than the plans of a hundred cursors. */
function expectPieces({ most }: { most: { read: number; written: number } }, read = 25 * 100) {
  expect(most.read).toBeLessThanOrEqual(read);
  expect(most.written).toBeLessThanOrEqual(2 * 100);
}

async function large(reminders: object = { ...daily, ends: null }): Promise<Study> {
  setClock(startOfTests);
  const study = await sleepStudy();
  await addSurveys(study, surveys - 1, reminders);
  await jobsDone();
  return study;
}

test('somebody who enrols waits for 25 plans; the others are made behind the answer, a hundred at a time', async () => {
  const study = await large();
  const { code } = await newCode(study.owner, study.id);
  const { costOf, settle, ask } = counted();
  let id = '';
  const inRequest = await costOf(async () => {
    const answer = await enrol({ send: ask }, code, { name: 'Ada' });
    expect(answer.status, answer.text).toBeLessThan(300);
    id = answer.body.user.identifier;
  });
  expect(await countScheduled({ users: [id] })).toBe(25);
  expect(inRequest.roundTrips).toBeLessThanOrEqual(6);
  expect(inRequest.rowsWritten).toBeLessThanOrEqual(2 * surveys + 5 * 25);
  const behind = await costOf(settle);
  expectPieces(behind);
  expect(await countScheduled({ users: [id] })).toBe(surveys - 1);
});

describe('a change of the zone of a study', () => {
  test.each([5, 20])('of %d members is one row written; their plans are made in pages', async (members) => {
    const study = await large();
    await addMembers(study, members);
    const { services, costOf, send } = counted();
    const inRequest = await costOf(async () => {
      const { status, text } = await send(study.owner, 'PATCH', `/investigation/${study.id}`, {
        timeZone: 'Asia/Tokyo',
      });
      expect(status, text).toBe(200);
    });
    expect(inRequest).toMatchObject({ roundTrips: 3, rowsWritten: 8 });
    const behind = await costOf(() => walkWakes(services));
    expectPieces(behind);
    const pages = Math.ceil(((members + 2) * surveys) / 500);
    expect(behind.roundTrips).toBeLessThanOrEqual(25 * pages);
    expect(await countScheduled({ study: study.id })).toBe((members + 2) * (surveys - 1));
  });
});

test('a response that would trigger every other survey of its study is judged by each once, and most cost no plan', async () => {
  const study = await large();
  await env.DB.prepare('update survey set reminders = ? where investigation_id = ? and id <> ?')
    .bind(JSON.stringify(following(study.survey, { where: { q1: ['badly'] } })), study.id, study.survey)
    .run();
  const { costOf, settle, send } = counted();
  const { responder } = study;
  const night = await newCase(study, responder);
  const give = async (q1: string) => {
    const inRequest = await costOf(async () => {
      const body = { case: night, items: { q1, q2: 'x'.repeat(9_000) } };
      const { status, text } = await send(responder, 'POST', `/survey/${study.survey}/response`, body);
      expect(status, text).toBe(201);
    });
    return { inRequest, behind: await costOf(settle) };
  };
  // The lists are made with the first one.
  await give('well');
  for (let n = 0; n < 8; n++) {
    const fits = n % 2 === 0;
    const { inRequest, behind } = await give(fits ? 'badly' : 'well');
    expect(inRequest.roundTrips).toBeLessThanOrEqual(fits ? 6 : 4);
    expect(inRequest.rowsWritten).toBeLessThanOrEqual(fits ? 2 * surveys + 5 * 25 : 12);
    if (fits) expectPieces(behind, 6_000);
    else expect(behind.roundTrips).toBe(0);
  }
  const planned = await countScheduled({ users: [responder.id] });
  expect(planned).toBe(surveys - 1);
});
