import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { reconcile } from '../../src/operations/jobs.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { stateItems } from '../items/support/late-answers.ts';
import { readAnswer } from '../support/people.ts';
import { Random } from '../support/random.ts';
import { seed } from '../support/seed.ts';
import { newStudy } from '../support/studies.ts';
import { days, later, setClock, startOfTests } from '../support/worker/clock.ts';
import { world } from '../support/worker/world.ts';
import { acts, newWritten, writerOf } from './support/acts.ts';
import { compare, follow, newCopy } from './support/copies.ts';

/*
 * In workerd: everybody in a study writes at random through a D1 that fails before and after it writes, in isolates that
 * come and go. At 250 random moments copies equal the lists. Node has its own such test, and dying processes too.
 */

const moments = 250;
const stepsOfStudy = 60;

test('copies equal the lists at 250 random moments', async () => {
  const met = { faultsBefore: 0, faultsAfter: 0, isolates: 0, purged: 0, interrupted: 0, compared: 0 };
  const faults = { on: false };
  const failing = (db: Database, random: Random): Database => {
    const batch: Database['batch'] = async (statements) => {
      if (faults.on && random.chance(0.05)) {
        met.faultsBefore++;
        throw new Error('D1_ERROR: Network connection lost.');
      }
      const rows = await db.batch(statements);
      if (faults.on && random.chance(0.03)) {
        met.faultsAfter++;
        throw new Error('D1_ERROR: Network connection lost.');
      }
      return rows;
    };
    return new Proxy(db, { get: (of, name) => (name === 'batch' ? batch : Reflect.get(of, name)) });
  };
  for (let n = 0; met.compared < moments; n++) {
    setClock(startOfTests);
    const random = new Random(seed + n);
    const isolate = () => {
      const usual = createServices(env);
      const services = { ...usual, db: failing(usual.db, random), log: () => {} };
      return { services, app: createApp(services, readConfig(env)) };
    };
    let { services, app } = isolate();
    const study = await newStudy({
      ...world,
      send: async (path, init) => readAnswer(await app.request(`https://fieldbell.localhost${path}`, init)),
    });
    const written = newWritten(study, random);
    const kept = newCopy();
    for (let step = 0; step < stepsOfStudy; step++) {
      later(random.int(90) * 1000);
      if (random.chance(0.1)) {
        ({ services, app } = isolate());
        met.isolates++;
      }
      const writers = Array.from(
        { length: 1 + random.int(3) },
        () => [random.pick(acts), writerOf(written)] as const,
      );
      faults.on = true;
      await Promise.all(writers.map(([act, by]) => act(written, by)));
      faults.on = false;
      if (random.chance(0.06)) {
        const count = 'select count(*) as n from study_case';
        const before = Number(await env.DB.prepare(count).first('n'));
        const { cases } = (await study.owner.get(`/investigation/${study.id}/cases?limit=5`)).body;
        const ids = cases.map(({ identifier }: { identifier: string }) => identifier);
        await stateItems(study, 'lock', { cases: ids }, 'unlocked');
        await stateItems(study, 'delete', { cases: ids }, 'deleted');
        later(31 * days);
        await reconcile(services);
        met.purged += before - Number(await env.DB.prepare(count).first('n'));
      }
      if (random.chance(0.3)) {
        met.interrupted++;
        await follow(kept, study.owner, study.id, 3, 1);
      }
      if (!random.chance(0.5)) continue;
      await compare(written, kept, `step ${step} of ${seed + n}`);
      met.compared++;
    }
  }
  console.log(JSON.stringify(met));
  for (const [what, count] of Object.entries(met)) expect(count, what).toBeGreaterThan(5);
});
