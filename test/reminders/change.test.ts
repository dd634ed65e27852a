import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { interruptedDb, newApp } from '../support/worker/apps.ts';
import { addMembers } from '../support/worker/bulk.ts';
import { later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { daily, jobsDone, pendingOf, remind, ring } from '../support/worker/reminders.ts';
import { newPhone, signUp, sleepStudy } from '../support/worker/world.ts';

const ask = (study: Study, body: object, by = study.editor) =>
  by.post(`/survey/${study.survey}/reminders/change`, body);

const effectOf = async (study: Study, body: object) => {
  const answer = await ask(study, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

const upcoming = async (study: Study, person: Person) =>
  (
    await study.owner.get(`/survey/${study.survey}/reminders/upcoming?count=3&user=${person.id}`)
  ).body.occurrences.map(({ dueAt }: { dueAt: string }) => dueAt);

const morning = { ...daily, recurrence: '0 8 * * *' };
const drawn = { ...daily, recurrence: '* * * * *', windows: [{ from: '10:00', to: '20:00', count: 2 }] };
const at = (time: string) =>
  ['2027-03-01', '2027-03-02', '2027-03-03', '2027-03-04'].map((on) => `${on}T${time}:00.000Z`);

async function diary(reminders: object | null = daily) {
  setClock(startOfTests);
  const study = await sleepStudy(reminders);
  return { study, chidi: study.responder, dana: study.other };
}

describe('a change of reminders, before it is made', () => {
  test('shows the next three occurrences of each person whom it concerns, and changes nothing', async () => {
    const { study, chidi, dana } = await diary();
    await dana.patch('/user/me', { customRemindersTime: '21:00' });
    for (const person of [chidi, dana]) await pendingOf(person);
    const effect = await changingNothing(() => effectOf(study, { reminders: morning }));
    expect(effect).toEqual({
      people: 2,
      unchanged: 1,
      moved: 1,
      added: 0,
      removed: 0,
      againToday: 0,
      page: [{ user: chidi.id, before: at('20:30').slice(0, 3), after: at('07:00').slice(1) }],
    });
  });

  test.each([
    ['the first reminders', null, daily, { added: 2 }],
    ['no reminders any more', daily, null, { removed: 2 }],
    ['other texts', daily, { ...daily, notification: { subject: 'New', body: 'New' } }, { unchanged: 2 }],
    ['nothing new', daily, daily, { unchanged: 2 }],
    ['reminders from a download that nobody made', daily, { ...daily, type: 'fixed' }, { removed: 2 }],
    ['the clock of the study, where everybody is', daily, { ...daily, clock: 'study' }, { unchanged: 2 }],
  ])('counts people: %s', async (_, before, after, counts) => {
    const { study } = await diary(before);
    const none = { people: 2, unchanged: 0, moved: 0, added: 0, removed: 0, againToday: 0 };
    expect(await effectOf(study, { reminders: after, limit: 0 })).toEqual({ ...none, ...counts, page: [] });
  });

  test('counts people who got a push today, and comes to them again only if it says so', async () => {
    const { study, chidi } = await diary(morning);
    await newPhone(chidi);
    await pendingOf(chidi);
    await remind(study, { ...daily, recurrence: '10 9 * * *' });
    await pendingOf(chidi);
    setClock('2027-03-01T08:10:00.000Z');
    await ring(chidi);
    later(minutes);
    const evening = at('20:30');
    for (const again of [false, true]) {
      const effect = await effectOf(study, { reminders: daily, again });
      expect(effect.againToday).toBe(1);
      const shown = effect.page.find(({ user }: { user: string }) => user === chidi.id);
      expect(shown.after).toEqual(again ? evening.slice(0, 3) : evening.slice(1));
    }
    const answer = await study.owner.patch(`/survey/${study.survey}`, { reminders: daily, again: true });
    expect(answer.status).toBe(200);
    expect(await upcoming(study, chidi)).toEqual(evening.slice(0, 3));
  });

  test('is drawn with the minutes that are saved, also the first windows of a survey', async () => {
    const { study, chidi, dana } = await diary();
    const { page } = await effectOf(study, { reminders: drawn });
    expect(page).toHaveLength(2);
    expect((await effectOf(study, { reminders: drawn })).page).toEqual(page);
    await remind(study, drawn);
    for (const person of [chidi, dana])
      expect(await upcoming(study, person)).toEqual(
        page.find(({ user }: { user: string }) => user === person.id).after,
      );
  });

  test.each([
    ['preview', 'preview'],
    ['preview', 'save'],
    ['save', 'preview'],
  ] as const)('draws the first windows once, though before a %s writes comes a %s', async (first, second) => {
    const { study, chidi, dana } = await diary();
    const shown: { user: string; after: string[] }[] = [];
    const act = async (name: 'preview' | 'save', { send }: Pick<ReturnType<typeof newApp>, 'send'>) => {
      const [method, path] = name === 'preview' ? ['POST', '/reminders/change'] : ['PATCH', ''];
      const call = { method, token: study.editor.token, body: { reminders: drawn } };
      const { status, text, body } = await send(`/survey/${study.survey}${path}`, call);
      expect(status, text).toBe(200);
      if (name === 'preview') shown.push(...body.page);
      else
        for (const person of [chidi, dana])
          shown.push({ user: person.id, after: await upcoming(study, person) });
    };
    await act(first, newApp({ db: interruptedDb(() => act(second, newApp())) }));
    expect(shown).toHaveLength(4);
    await remind(study, drawn);
    for (const { user, after } of shown)
      expect(await upcoming(study, user === chidi.id ? chidi : dana)).toEqual(after);
  });

  test('is shown from a later instant on, if that is asked for', async () => {
    const { study, chidi } = await diary();
    const { page } = await effectOf(study, { reminders: null, from: '2027-03-01T21:00:00Z' });
    expect(page).toContainEqual({ user: chidi.id, before: at('20:30').slice(1), after: [] });
  });

  test('is refused for the faults that refuse the save', async () => {
    const { study } = await diary();
    const expressions = { reminders: { ...daily, recurrence: 'daily' } };
    expectProblem(await ask(study, expressions), 'request.invalid', ['/reminders/recurrence']);
    const long = { ...daily, notification: { subject: 'Long', body: 'x'.repeat(4000) } };
    expectProblem(await ask(study, { reminders: long }), 'request.invalid', ['/reminders/notification']);
    expectProblem(await ask(study, {}), 'request.invalid', ['/reminders']);
    expectProblem(await ask(study, { reminders: null, limit: 1001 }), 'request.invalid', ['/limit']);
    expectProblem(await ask(study, { reminders: null, cursor: 'x' }), 'request.invalid', ['/cursor']);
  });

  test('is not for participants, and strangers learn nothing', async () => {
    const { study, chidi } = await diary();
    expectProblem(await ask(study, { reminders: null }, chidi), 'action.forbidden');
    expectProblem(await ask(study, { reminders: null }, await signUp('Eve')), 'resource.not-found');
  });
});

describe('of a large study', () => {
  /** Asks for pages until there is no other one. */
  const pages = async (study: Study, limit: number, first?: string) => {
    const found = [];
    for (let cursor = first; ; cursor = found.at(-1).next) {
      found.push(
        await effectOf(study, { reminders: morning, limit, ...(cursor !== undefined && { cursor }) }),
      );
      if (found.at(-1).next === undefined) return found;
    }
  };
  const total = (effects: Record<string, number>[], name: string) =>
    effects.reduce((sum, effect) => sum + (effect[name] ?? 0), 0);

  test('pages list each person whom a change concerns once, and their counts add up', async () => {
    const { study, chidi, dana } = await diary();
    await addMembers(study, 298);
    // Dana is not concerned, since the morning is her own time.
    await dana.patch('/user/me', { customRemindersTime: '08:00' });
    await jobsDone();
    const whole = await effectOf(study, { reminders: morning, limit: 0 });
    expect(whole).toMatchObject({ people: 300, moved: 299, unchanged: 1, page: [] });
    expect(whole).not.toHaveProperty('next');
    const all = await pages(study, 1000);
    expect(all).toHaveLength(1);
    const listed = all[0].page.map(({ user }: { user: string }) => user);
    expect(new Set(listed).size).toBe(299);
    expect(listed).toContain(chidi.id);
    expect(listed).not.toContain(dana.id);
    for (const limit of [40, 100, 299]) {
      const found = await pages(study, limit);
      expect(found.flatMap(({ page }) => page)).toEqual(all[0].page);
      for (const name of ['people', 'moved', 'unchanged']) expect(total(found, name)).toBe(whole[name]);
      expect(Math.max(...found.map(({ page }) => page.length))).toBe(limit);
    }
  });

  test('slices have a bounded cost', async () => {
    const { study } = await diary();
    await addMembers(study, 700);
    await jobsDone();
    const { measure } = countedApp();
    const path = `/survey/${study.survey}/reminders/change`;
    const first = await measure(study.owner, 'POST', path, { reminders: morning, limit: 2 });
    expect(first.roundTrips).toBe(1);
    expect(first.rowsWritten).toBe(0);
    expect(first.rowsRead).toBeLessThanOrEqual(10 * 500 + 20);
    const { next, page } = first.answer.body;
    expect(page).toHaveLength(2);
    const found = [first.answer.body, ...(await pages(study, 1000, next))];
    expect(found).toHaveLength(3);
    expect(total(found, 'people')).toBe(702);
    expect(found.flatMap((effect) => effect.page)).toHaveLength(total(found, 'moved'));
    const members = await env.DB.prepare('select count(*) as n from member where investigation_id = ?')
      .bind(study.id)
      .first('n');
    expect(members).toBe(704);
  });
});
