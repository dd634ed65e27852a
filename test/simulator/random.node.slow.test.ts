import { expect, test } from 'vitest';
import { randomScenario } from '../../simulator/random.ts';
import { simulate } from '../../simulator/run.ts';
import { readScenario } from '../../simulator/scenario.ts';
import { readRows } from '../../simulator/tables.ts';
import { responseOfKey } from '../../simulator/triggered-checks.ts';
import { draws, seed as first } from '../support/seed.ts';

/** Others, without the counts: `npm run simulate -- --random 1000 --seed 151`. */
const studies = draws(40);

/** Events that the studies must have met, so that the invariants do not hold for want of trouble. */
const met = {
  pushes: 0,
  repeated: 0,
  crashes: 0,
  sweeps: 0,
  databaseFaults: 0,
  relayFaults: 0,
  rows: 0,
  upgrades: 0,
  triggered: 0,
  triggersGone: 0,
  offCourse: 0,
};

const isMet = () => Object.values(met).every((count) => count > studies / 50);

test(`the invariants hold in ${studies} random studies`, async () => {
  const wrong: string[] = [];
  // Among forty studies, one draw in thirty has none with the rarest event: then some more are drawn.
  for (let n = 0; n < studies || (n < 4 * studies && !isMet()); n++) {
    const seed = first + n;
    const { until, ...rest } = randomScenario(seed);
    const violations = await simulate(readScenario({ until, ...rest }), async (run) => {
      const { relay, server, database } = run;
      met.pushes += relay.accepted.length;
      met.repeated +=
        relay.accepted.length -
        new Set(relay.accepted.map((push) => `${push.token} ${push.collapseId}`)).size;
      met.crashes += server.counts.crashes;
      met.sweeps += server.counts.sweeps;
      met.databaseFaults += database.counts.refused;
      met.relayFaults += relay.refused;
      met.upgrades += server.log.filter(({ event }) => event === 'zones').length;
      const rows = await readRows(database);
      met.rows += rows.length;
      const triggered = rows.filter(({ on }) => responseOfKey(on) !== undefined);
      met.triggered += triggered.filter(({ state }) => state === 'sent').length;
      met.triggersGone += triggered.filter(({ state }) => state === 'invalidated').length;
      const moved = ['date-moved', 'not-participating'];
      met.offCourse += rows.filter(({ reason }) => moved.includes(String(reason))).length;
      return run.violations;
    });
    if (violations.length > 0)
      wrong.push(`npm run simulate -- --seed ${seed}`, ...violations.map((one) => `  ${one}`));
  }
  console.log(JSON.stringify(met));
  expect(wrong.join('\n')).toBe('');
  for (const [what, count] of Object.entries(met)) expect(count, what).toBeGreaterThan(studies / 50);
});
