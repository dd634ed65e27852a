import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { created } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { signUp, sleepStudy } from '../support/worker/world.ts';

const en = { title: 'Sleep', text: 'Two weeks.\nEvery evening.', contact: 'Ada, ada@example.org' };
const de = { title: 'Schlaf', text: 'Zwei Wochen.', contact: 'Ada' };

let study: Study;
beforeEach(async () => {
  setClock(startOfTests);
  study = await sleepStudy();
});
const path = () => `/investigation/${study.id}`;

describe('the information of a study', () => {
  test('is given with the study or later, by owners and editors, and shown to all members', async () => {
    const made = created(await study.owner.post('/investigation', { name: 'Naps', information: { en } }));
    expect(made.information).toEqual({ en });
    for (const person of [study.owner, study.editor]) {
      const information = { en: { ...en, title: `By ${person.name}` }, de };
      const { status, body } = await person.patch(path(), { information });
      expect([status, body.information]).toEqual([200, information]);
      expect((await study.responder.get(path())).body.information).toEqual(information);
    }
    const { investigations } = (await study.responder.get('/investigation')).body;
    expect(investigations[0].information.de).toEqual(de);
  });

  test('is changed by nobody else, and editors change nothing else', async () => {
    const refused = (by: keyof Study & ('editor' | 'responder'), json: object) =>
      changingNothing(() => study[by].patch(path(), json));
    expectProblem(await refused('responder', { information: { en } }), 'action.forbidden');
    expectProblem(await refused('editor', { information: { en }, name: 'Mine' }), 'action.forbidden');
    expectProblem(await refused('editor', { status: 'archived' }), 'action.forbidden');
    const eve = await signUp('Eve');
    expectProblem(
      await changingNothing(() => eve.patch(path(), { information: { en } })),
      'resource.not-found',
    );
  });

  test('is in the log with what it was, in the feed, and removed by null or an empty object', async () => {
    const { latest } = (await study.owner.get(`${path()}/changes?after=0`)).body;
    await study.editor.patch(path(), { information: { en } });
    const { changes } = (await study.owner.get(`${path()}/changes?after=${latest}&include=body`)).body;
    expect(changes).toMatchObject([{ kind: 'study', body: { information: { en } } }]);
    const entries = async () =>
      (await study.owner.get(`${path()}/activity?action=study.changed`)).body.activities.map(
        ({ details }: { details: object }) => details,
      );
    expect(await entries()).toEqual([{ before: { information: null }, after: { information: { en } } }]);
    await study.editor.patch(path(), { information: { en } });
    expect(await entries(), 'the same again').toHaveLength(1);
    expect((await study.owner.patch(path(), { information: {} })).body).not.toHaveProperty('information');
    expect((await entries())[0]).toEqual({ before: { information: { en } }, after: { information: null } });
    await study.owner.patch(path(), { information: { en } });
    expect((await study.owner.patch(path(), { information: null })).body).not.toHaveProperty('information');
  });

  test('is bounded, and refused by pointer', async () => {
    const tags = Array.from({ length: 51 }, (_, n) => [`x-${n}`, de]);
    const long = { ...en, text: 'x'.repeat(20_000) };
    for (const [information, pointer] of [
      [Object.fromEntries(tags), '/information'],
      [{ en, EN: de }, '/information/EN'],
      [{ 'not a tag': en }, '/information/not a tag'],
      [{ en: { ...en, title: '' } }, '/information/en/title'],
      [{ en: { ...en, title: 'x'.repeat(201) } }, '/information/en/title'],
      [{ en: { ...en, text: 'x'.repeat(20_001) } }, '/information/en/text'],
      [{ en: { ...en, contact: 'x'.repeat(1001) } }, '/information/en/contact'],
      [{ en: { title: 'a', text: 'b' } }, '/information/en/contact'],
      [{ en: { ...en, link: 'https://example.org' } }, '/information/en/link'],
      [{ en: long, de: long, fr: long }, '/information'],
      ['text', '/information'],
    ] as const)
      for (const send of [
        () => study.owner.patch(path(), { information }),
        () => study.owner.post('/investigation', { name: 'Naps', information }),
      ]) {
        const answer = await changingNothing(send);
        expect([answer.status, answer.body.errors?.[0].pointer]).toEqual([400, pointer]);
      }
    const most = Object.fromEntries(tags.slice(1));
    expect((await study.owner.patch(path(), { information: most })).status).toBe(200);
  });

  test('makes a page of studies no longer than others are', async () => {
    const bulky = { en: { ...en, text: '面'.repeat(20_000) }, de: { ...de, text: '面'.repeat(20_000) } };
    for (let n = 0; n < 30; n++)
      created(await study.owner.post('/investigation', { name: `Study ${n}`, information: bulky }));
    const seen: string[] = [];
    let next = '';
    let pages = 0;
    do {
      const { body, text } = await study.owner.get(
        `/investigation?limit=1000&cursor=${next}`.replace(/&cursor=$/, ''),
      );
      expect(text.length).toBeLessThan(1_100_000);
      seen.push(...body.investigations.map(({ name }: { name: string }) => name));
      next = body.next ?? '';
      pages++;
    } while (next);
    expect(pages).toBeGreaterThan(2);
    expect(seen.filter((name) => name.startsWith('Study'))).toHaveLength(30);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('is kept as it is by a change of something else', async () => {
    await study.owner.patch(path(), { information: { en } });
    expect((await study.owner.patch(path(), { name: 'Dreams' })).body.information).toEqual({ en });
    const row = env.DB.prepare('select information from investigation where id = ?').bind(study.id);
    expect(JSON.parse((await row.first<string>('information')) ?? '')).toEqual({ en });
  });
});
