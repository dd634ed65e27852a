import { expect, test } from 'vitest';
import { newWorld } from '../conformance/support/worlds.ts';
import { newClock, perform, randomTemplate } from '../support/histories.ts';
import { isLinearizable, type Operation, published } from '../support/linearizability.ts';
import { initialState, type LockOp, step } from '../support/lock-model.ts';
import { Random } from '../support/random.ts';
import { draws } from '../support/seed.ts';
import { newCase, newStudy, type Study } from '../support/studies.ts';
import { newTarget, type Target } from './target.ts';

const lanes = [
  { runtime: 'node', seed: 11 },
  { runtime: 'deno', seed: 12 },
] as const;
const histories = draws(2);
/** Processes of one history: all but the last are killed. */
const lives = 3;
const clients = 5;

/** Requests of many clients over several lives of the process; unanswered requests may or may not have happened. */
async function record(target: Target, study: Study, seed: number, n: number) {
  const random = new Random(seed * 1000 + n);
  const dice = () => random.int(1_000_000) / 1_000_000;
  const cases = [await newCase(study, study.owner, 'a'), await newCase(study, study.owner, 'b')];
  const send = async (path: string, init: RequestInit) => {
    try {
      const response = await fetch(target.url + path, init);
      return { status: response.status, text: await response.text() };
    } catch {
      return null;
    }
  };
  const subject = { send, study, cases };
  const tick = newClock();
  const history: Operation<LockOp>[] = [];
  let unique = seed * 1_000_000 + n * 10_000;

  /** One request after the other, until the service is gone or there were enough. */
  const client = async (name: string) => {
    for (let k = 0; k < 4; k++) {
      const template = randomTemplate(dice, cases.length, (++unique).toString(16).padStart(32, 'd'));
      const done = await perform(subject, study.owner, template, tick);
      history.push({ ...done, client: name });
      if (done.op.answer === 'lost') return;
    }
  };
  for (let life = 0; life < lives; life++) {
    const working = Promise.all(
      Array.from({ length: clients }, (_, c) => client(`client ${c} of life ${life}`)),
    );
    if (life < lives - 1) {
      await new Promise((resolve) => setTimeout(resolve, random.int(40)));
      await restart(target);
    }
    await working;
  }
  return history;
}

const processes = new Map<Target, ReturnType<Target['spawn']>>();
async function restart(target: Target) {
  await processes.get(target)?.end('SIGKILL');
  const next = target.spawn(Date.now());
  processes.set(target, next);
  await target.ready(next);
}
test.concurrent.each(lanes)(
  '$runtime, killed in the middle: an order explains every answer of locks, freezes, edits and reads (seed $seed)',
  async ({ runtime, seed }) => {
    const target = await newTarget(runtime);
    try {
      await restart(target);
      const study = await newStudy(newWorld(target));
      let lost = 0;
      for (let n = 0; n < histories; n++) {
        const history = await record(target, study, seed, n);
        if (!isLinearizable(history, initialState(['a', 'b']), step))
          throw new Error(`No order explains history ${n} of seed ${seed}:\n${published(history)}`);
        lost += history.filter(({ op }) => op.answer === 'lost').length;
        // The next history begins with a study in which nothing is frozen or locked: a filter finds all its cases.
        await study.owner.post(`/investigation/${study.id}/freeze`, { status: 'active', reason: 'The next' });
        await study.owner.post(`/investigation/${study.id}/lock-matching`, {
          status: 'unlocked',
          filter: {},
        });
      }
      expect(lost).toBeGreaterThan(histories);
      expect((await study.owner.get(`/investigation/${study.id}/activity/verify`)).body.valid).toBe(true);
    } finally {
      await processes.get(target)?.end('SIGKILL');
      await target.dispose();
    }
  },
);
