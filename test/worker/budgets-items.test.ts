import { expect, test } from 'vitest';
import { countedApp } from './support/counters.ts';
import { seedCases, seedResponses } from './support/seeds.ts';
import { sleepStudy } from './support/studies.ts';

test('explore', async () => {
  const study = await sleepStudy();
  const cases = await seedCases(study, 1000);
  await seedCases(study, 20, { by: study.responder.id, kind: 'cb' });
  const own = await seedResponses(study, 300);
  const others = await seedResponses(study, 2000, { by: study.other.id, kind: 'db', of: cases[1] });
  const { measure } = countedApp();
  const show = async (who: 'owner' | 'responder', method: string, path: string, body?: unknown) => {
    const { answer, ...cost } = await measure(study[who], method, path, body);
    console.log(who, method, path.replace(/[0-9a-f]{32}/g, '*'), answer.status, answer.text.length, JSON.stringify(cost), answer.status > 299 ? answer.text : '');
    return answer;
  };
  for (const who of ['owner', 'responder'] as const) {
    await show(who, 'GET', `/response/${own[0]}`);
    await show(who, 'GET', `/case/${cases[0]}`);
    await show(who, 'GET', `/response/${own[0]}/revisions`);
    await show(who, 'GET', `/investigation/${study.id}/responses?limit=100`);
    await show(who, 'GET', `/investigation/${study.id}/responses?limit=100&responder=${study.responder.id}`);
    await show(who, 'GET', `/investigation/${study.id}/responses?limit=100&case=${cases[0]}`);
    await show(who, 'GET', `/investigation/${study.id}/cases?limit=100`);
    await show(who, 'GET', `/investigation/${study.id}/cases?limit=10`);
  }
  const ids = (list: string[], n: number) => list.slice(0, n).map((identifier) => ({ identifier }));
  await show('owner', 'POST', `/investigation/${study.id}/lock-items`, { cases: ids(cases, 50), responses: ids(others, 50), status: 'locked' });
  await show('owner', 'POST', `/investigation/${study.id}/lock-items`, { cases: ids(cases, 500), responses: ids(others, 500), status: 'locked' });
  await show('responder', 'POST', `/investigation/${study.id}/lock-items`, { responses: ids(own, 100), status: 'locked' });
  await show('responder', 'PATCH', `/response/${own[150]}`, { items: { q1: 'x' } });
  await show('owner', 'PATCH', `/case/${cases[700]}`, { label: 'x' });
  await show('owner', 'POST', `/investigation/${study.id}/case`, { label: 'x' });
  await show('owner', 'POST', `/survey/${study.survey}/response`, { case: cases[900], items: { q1: 'x' } });
  await show('owner', 'GET', `/investigation/${study.id}/activity?limit=2`);
});
