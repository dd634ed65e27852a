import type { BrowserContext } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeConsole, expectAccessible } from '../console/support/console.ts';
import { created } from '../support/people.ts';
import { newStudy, type Study } from '../support/studies.ts';
import { begin, changeKept, openAt, openPhone, type Phone, storedIn } from './support/phone.ts';
import { endStandIns, type Held, standIn } from './support/stand-ins.ts';

/*
 * The sentences of the page once somebody has pressed Send. Answers of the service that it gives to phones of some states only, and
 * of others in its place, are stand-ins at the network.
 */

let studies = 0;

describeConsole('sending', (get) => {
  async function answering(items?: object[]) {
    const study = await newStudy(get().world, { of: `sending ${++studies}` });
    if (items) await study.editor.patch(`/survey/${study.survey}`, { items });
    const phone = await openPhone(get());
    await begin(phone, get().service.url, study.other, study);
    return { study, ...phone };
  }

  const answer = async (page: Phone['page'], text: string) => {
    await openAt(page, get().service.url);
    await page.getByRole('link', { name: 'Diary' }).click();
    await page.getByLabel('How did you sleep?').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { level: 1, name: 'Diary' }).waitFor({ state: 'detached' });
    return page.getByRole('heading', { level: 1 }).innerText();
  };
  const isSent = (heading: string) => expect(heading).toBe('Thank you! Your answers have been sent.');
  const casesOf = async ({ owner, id }: Study, status = 'active') =>
    (await owner.get(`/investigation/${id}/cases?status=${status}`)).body.cases;
  const inPlaceOfService = (context: BrowserContext, answers: Parameters<Held['fulfill']>[0]) =>
    standIn(context, '/survey/*/response', (held) => held.fulfill(answers));

  test('a Wi-Fi that answers everything has taken nothing: the answer waits, and is sent later', async () => {
    const { study, page, context } = await answering();
    for (const status of [200, 403]) {
      const html = { status, contentType: 'text/html', body: '<h1>Welcome to the hotel</h1>' };
      await inPlaceOfService(context, html);
      expect(await answer(page, `hotel ${status}`)).toMatch(/They have not been sent yet/);
      await page.getByText(/Something else answered in place of the study/).waitFor();
      endStandIns(context);
      await openAt(page, get().service.url);
      await expect.poll(() => storedIn(study)).toContainEqual({ q1: `hotel ${status}` });
    }
    expect(page.complaints).toEqual([]);
  });

  test('a network that goes while the page reads is gone', async () => {
    const { page, context } = await answering();
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    // The requests of the first page end with it.
    await page.goto('about:blank');
    await context.route('**/user/me/notifications*', async (route) => {
      const answer = await route.fetch();
      asked.resolve();
      await held.promise;
      await route.fulfill({ response: answer });
    });
    await page.goto(`${get().service.url}/p/`);
    await asked.promise;
    await context.setOffline(true);
    await page.getByText('No internet. You can still answer.').waitFor();
    await page.evaluate(`void (self.isRead = new Promise((resolve) => {
      new BroadcastChannel('fieldbell.participant').onmessage = () => resolve();
    }))`);
    held.resolve();
    await page.evaluate('isRead');
    await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))`);
    expect(await page.locator('main').innerText()).toContain('No internet. You can still answer.');
  });

  test('the page does not say more than it knows when there is no answer in time', async () => {
    const { study, page, context } = await answering();
    await page.evaluate(`(() => {
      const real = fetch;
      window.fetch = (input, init) => input.url?.endsWith('/response')
        ? real(input, init).then(() => Promise.reject(new DOMException('late', 'TimeoutError')))
        : real(input, init);
    })()`);
    await page.getByRole('link', { name: 'Diary' }).click();
    await page.getByLabel('How did you sleep?').fill('lost');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /It is not known yet whether the study has them/ }).waitFor();
    await openAt(page, get().service.url);
    await page.locator('.rows .good').waitFor();
    expect(await storedIn(study)).toEqual([{ q1: 'lost' }]);
    expect(context.pages()).toHaveLength(1);
  });

  test('an answer that is set aside is said to be with the team, and is asked about until it is placed', async () => {
    const { study, page, context } = await answering();
    await inPlaceOfService(context, { status: 202, json: { setAside: 'survey-archived' } });
    expect(await answer(page, 'well')).toMatch(/The study team has received your answers/);
    await page.getByText(/The questionnaire ended before they arrived/).waitFor();
    await expectAccessible(page);
    await openAt(page, get().service.url);
    await page.getByText('One answer is with the study team, which decides where it belongs.').waitFor();
    await page.getByRole('link', { name: 'See', exact: true }).click();
    await page.getByText('well').waitFor();
    await expectAccessible(page);
    expect(await page.getByRole('button', { name: 'Delete from this phone' }).count()).toBe(0);
    endStandIns(context);
    const age = '(answers) => ({ ...answers, askedAt: answers.askedAt - 7 * 3600_000 })';
    await changeKept(page, age, undefined, 'outbox');
    await openAt(page, get().service.url);
    await page.locator('.rows .good').waitFor();
    expect(await storedIn(study)).toEqual([{ q1: 'well' }]);
  });

  test('an answer of a locked case waits, and says so', async () => {
    const { study, page } = await answering();
    isSent(await answer(page, 'first'));
    const [own] = await casesOf(study);
    const lock = (status: string) =>
      study.owner.post(`/investigation/${study.id}/lock-items`, {
        cases: [{ identifier: own.identifier }],
        status,
        ...(status === 'locked' && { reason: 'A look' }),
      });
    await lock('locked');
    expect(await answer(page, 'second')).toMatch(/The study cannot take them right now/);
    await page.getByText('The study has locked your answers for the moment.').waitFor();
    await lock('unlocked');
    await openAt(page, get().service.url);
    await expect.poll(() => storedIn(study)).toHaveLength(2);
  });

  test.each([
    [
      'deleted',
      async (study: Study, id: string) =>
        study.owner.post(`/investigation/${study.id}/delete-items`, {
          cases: [{ identifier: id }],
          status: 'deleted',
        }),
    ],
    [
      'archived',
      async (study: Study, id: string) =>
        study.owner.post(`/investigation/${study.id}/archive-items`, {
          cases: [{ identifier: id }],
          status: 'archived',
        }),
    ],
    ['hidden', async (study: Study, id: string) => study.owner.patch(`/case/${id}`, { hidden: true })],
  ] as const)('after the own case was %s, the next answers go to another one', async (_, end) => {
    const { study, page } = await answering();
    isSent(await answer(page, 'pilot'));
    const [pilot] = await casesOf(study);
    const ended = await end(study, pilot.identifier);
    expect(ended.status, ended.text).toBeLessThan(300);
    isSent(await answer(page, 'the next day'));
    isSent(await answer(page, 'the day after'));
    const { responses } = (await study.owner.get(`/investigation/${study.id}/responses`)).body;
    const later = responses.filter(({ items }: { items: { q1: string } }) => items.q1.startsWith('the'));
    expect(new Set(later.map((one: { case: string }) => one.case)).size).toBe(1);
    expect(later[0].case).not.toContain(pilot.identifier);

    // On a new phone it is found again.
    const next = await openPhone(get());
    await begin(next, get().service.url, study.other, study);
    isSent(await answer(next.page, 'from the new phone'));
    const own = (await casesOf(study)).filter(
      ({ hidden, creatorIdentifier }: { hidden: boolean; creatorIdentifier: string }) =>
        !hidden && creatorIdentifier === study.other.id,
    );
    expect(own).toHaveLength(1);
  });

  test('a clock that is set right between the answer and the network costs neither', async () => {
    const { study, page, context } = await answering();
    await page.getByRole('link', { name: 'Diary' }).click();
    await page.getByLabel('How did you sleep?').fill('tomorrow, says the phone');
    await context.setOffline(true);
    await page.evaluate('(window.realNow = Date.now, Date.now = () => realNow() + 86_400_000)');
    await page.evaluate(`(() => { const Real = Date;
      window.Date = class extends Real { constructor(...given) { given.length ? super(...given) : super(Real.now()); } };
      window.Date.now = Real.now; })()`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /are stored on this phone/ }).waitFor();
    await context.setOffline(false);
    await openAt(page, get().service.url);
    await expect.poll(() => storedIn(study)).toEqual([{ q1: 'tomorrow, says the phone' }]);
  });

  test('Today goes by the clock of the service, whatever the phone says', async () => {
    const { study, page, context } = await answering();
    const iso = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    const on = iso(0).slice(0, 10);
    const due = {
      notification: '7'.repeat(32),
      survey: study.survey,
      dueAt: iso(-10),
      expiresAt: iso(50),
      on,
    };
    await standIn(context, '/user/me/agenda', (agenda) => agenda.fulfill({ json: { occurrences: [due] } }));
    for (const hours of [2, -2]) {
      await page.addInitScript(`{ const Real = globalThis.TrueDate ??= Date;
        const now = () => Real.now() + ${hours} * 3600_000;
        globalThis.Date = class extends Real { constructor(...given) { given.length ? super(...given) : super(now()); } };
        Date.now = now; }`);
      await openAt(page, get().service.url);
      await page.getByRole('link', { name: 'Answer: Diary' }).waitFor();
    }
    await page.getByRole('link', { name: 'Answer: Diary' }).click();
    await page.getByLabel('How did you sleep?').fill('on time');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /have been sent/ }).waitFor();
    const { responses } = (await study.owner.get(`/investigation/${study.id}/responses`)).body;
    expect(Math.abs(Date.parse(responses[0].givenAt) - Date.now())).toBeLessThan(600_000);
  });

  test('a phone that can store nothing says so before somebody leaves, and typed text stays', async () => {
    const { study, page } = await answering();
    await page.getByRole('link', { name: 'Diary' }).click();
    await page.getByLabel('How did you sleep?').fill('precious');
    await page.evaluate(`(window.realPut = IDBObjectStore.prototype.put,
      IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); })`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/This phone could not store your answers/).waitFor();
    expect(await page.getByLabel('How did you sleep?').inputValue()).toBe('precious');
    await expectAccessible(page);
    await page.evaluate('IDBObjectStore.prototype.put = realPut');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /have been sent/ }).waitFor();
    expect(await storedIn(study)).toEqual([{ q1: 'precious' }]);
  });

  test('answers that are changed and sent again keep the time at which they were given, and answers to dropped questions', async () => {
    const { study, page, context } = await answering();
    const bodies: { at: string; items: object }[] = [];
    const refusal = { status: 400, json: { code: 'request.invalid', detail: 'No such item.', errors: [] } };
    await standIn(context, '/survey/*/response', (answers) => {
      bodies.push(answers.json());
      answers.fulfill(refusal);
    });
    expect(await answer(page, 'x')).toMatch(/did not accept/);
    await study.editor.patch(`/survey/${study.survey}`, {
      items: [{ identifier: 'q2', label: 'When did you wake up?' }],
    });
    await openAt(page, get().service.url, '?view=sent');
    await page.getByText('An answer does not fit its question.').waitFor();
    await page.getByRole('button', { name: 'Change and send again' }).click();
    await page.getByText('These answers go along as you gave them:').waitFor();
    await page.getByLabel('When did you wake up?').fill('at six');
    // Left, and gone on with: nothing is lost on the way.
    await openAt(page, get().service.url, '?view=sent');
    await page.getByRole('button', { name: 'Go on changing' }).click();
    await expect.poll(() => page.getByLabel('When did you wake up?').inputValue()).toBe('at six');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /did not accept/ }).waitFor();
    expect(bodies.map(({ items }) => items)).toEqual([{ q1: 'x' }, { q1: 'x', q2: 'at six' }]);
    expect(bodies[1]?.at).toBe(bodies[0]?.at);
    await openAt(page, get().service.url, '?view=sent');
    await page.getByText('at six').waitFor();
    expect(await page.getByRole('button', { name: 'Change and send again' }).count()).toBe(1);
  });

  test('a survey that was made since is "not loaded yet" without a network, and gone only by the service\'s word', async () => {
    const { study, page, context } = await answering();
    const evening = created(
      await study.editor.post(`/investigation/${study.id}/survey`, {
        name: 'Evening',
        items: [{ identifier: 'e1', label: 'How was your evening?' }],
      }),
    ).identifier;
    await context.setOffline(true);
    await openAt(page, get().service.url, `?survey=${evening}`);
    await page.getByRole('heading', { name: 'This questionnaire is not loaded yet' }).waitFor();
    expect(await page.getByText(/ended|removed/).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'This questionnaire is not loaded yet' }).waitFor();
    await context.setOffline(false);
    await page.getByLabel('How was your evening?').waitFor();

    await openAt(page, get().service.url, `?survey=${'e'.repeat(31)}1`);
    await page.getByRole('heading', { name: 'This questionnaire is no longer available' }).waitFor();
    await study.owner.patch(`/survey/${evening}`, { status: 'archived' });
    await openAt(page, get().service.url);
    await page.getByRole('link', { name: 'Evening' }).waitFor({ state: 'detached' });
    await openAt(page, get().service.url, `?survey=${evening}`);
    await page.getByRole('heading', { name: 'This questionnaire has ended' }).waitFor();
    await expectAccessible(page);
  });
});
