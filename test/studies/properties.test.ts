import { describe, expect, test } from 'vitest';
import type { Study } from '../support/studies.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { sleepStudy } from '../support/worker/world.ts';

const path = ({ id }: Pick<Study, 'id'>) => `/investigation/${id}`;
const site = { name: 'site', values: ['lyon', 'paris'] };
const arm = { name: 'arm', values: ['a', 'b'], blinded: true };

describe('the properties that a study declares', () => {
  test('are shown to owners, unblinded ones to editors and monitors, and none to participants', async () => {
    const study = await sleepStudy();
    const { owner, editor, responder } = study;
    const declared = await owner.patch(path(study), { properties: [site, arm] });
    expect(declared.status, declared.text).toBe(200);
    expect(declared.body.properties).toEqual([site, arm]);
    expect((await owner.get(path(study))).body.properties).toEqual([site, arm]);
    const toEditor = await editor.get(path(study));
    expect(toEditor.body.properties).toEqual([site]);
    expect(toEditor.text).not.toContain('arm');
    expect((await responder.get(path(study))).body).not.toHaveProperty('properties');

    const none = await owner.patch(path(study), { properties: [] });
    expect(none.body).not.toHaveProperty('properties');
  });

  test('may be there from the beginning, and are kept by changes of dates', async () => {
    const { owner } = await sleepStudy();
    const made = await owner.post('/investigation', { name: 'Knees', properties: [site] });
    expect(made.body.properties, made.text).toEqual([site]);
    const changed = await owner.patch(made.body.uri, { dates: ['surgery'] });
    expect(changed.body).toMatchObject({ dates: ['surgery'], properties: [site] });
    const renamed = await owner.patch(made.body.uri, { properties: [arm] });
    expect(renamed.body).toMatchObject({ dates: ['surgery'], properties: [arm] });
  });

  test('are declared by owners alone, each name and value once', async () => {
    const study = await sleepStudy();
    const { owner, editor } = study;
    const refused = (properties: unknown, detail: RegExp) =>
      changingNothing(async () => {
        const answer = await owner.patch(path(study), { properties });
        expectProblem(answer, 'request.invalid');
        expect(answer.body.detail).toMatch(detail);
      });
    await refused([site, site], /each name once/);
    await refused([{ name: 'site', values: ['lyon', 'lyon'] }], /each value once/);
    await refused([{ name: 'site', values: [] }], /at least one value/);
    await refused([{ name: 'a:b', values: ['x'] }], /Expected a name/);
    await refused([{ name: 'site', values: [' lyon'] }], /Expected a value/);
    await refused(
      Array.from({ length: 11 }, (_, n) => ({ name: `p${n}`, values: ['x'] })),
      /at most 10 properties/,
    );
    await refused(
      [{ name: 'site', values: Array.from({ length: 201 }, (_, n) => `v${n}`) }],
      /at most 200 values/,
    );
    expectProblem(await editor.patch(path(study), { properties: [site] }), 'action.forbidden');
  });
});
