import { expect, test } from 'vitest';
import { created } from '../support/people.ts';
import { newCase } from '../support/studies.ts';
import { sleepStudy } from '../support/worker/world.ts';

/* Bounds hold to the last digit: a double keeps seventeen. */

const most = 9_007_199_254_740_992;
const items = [
  { identifier: 'sensor', label: 'Sensor', answer: { kind: 'number', min: 0, max: most } },
  { identifier: 'cups', label: 'Cups', answer: { kind: 'number', min: -1, max: 20.5 } },
];

test.each([
  ['sensor', '9007199254740992', 201],
  ['sensor', '9007199254740993', 400],
  ['sensor', '9007199254740992.00000001', 400],
  ['sensor', '-0', 201],
  ['sensor', '-0.00000000000000000000000000000000001', 400],
  ['cups', '20.5000', 201],
  ['cups', '20.5000000000000000001', 400],
  ['cups', '2050e-2', 201],
  ['cups', '-1.0000000000000000001', 400],
  ['cups', '1e-999999', 201],
  ['cups', `1${'0'.repeat(60_000)}1e-60005`, 201],
] as const)('%s %s: %d', async (item, text, status) => {
  const study = await sleepStudy();
  const survey = created(
    await study.owner.post(`/investigation/${study.id}/survey`, { name: 'Exact', items }),
  ).identifier;
  const night = await newCase(study, study.owner);
  const body = { case: night, items: { [item]: text } };
  expect((await study.responder.post(`/survey/${survey}/response`, body)).status).toBe(status);
});
