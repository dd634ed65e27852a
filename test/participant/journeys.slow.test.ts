import { expect, test } from 'vitest';
import { describeConsole, expectAccessible, savedBy } from '../console/support/console.ts';
import { created } from '../support/people.ts';
import { newStudy, type Study } from '../support/studies.ts';
import { begin, keptBy, openAt, openPhone, type Phone } from './support/phone.ts';
import { endStandIns, standIn } from './support/stand-ins.ts';

/* The ways of a participant. */

let studies = 0;

const answersIn = async ({ owner, id }: Study) =>
  (await owner.get(`/investigation/${id}/responses`)).body.responses;

describeConsole("the participants' page", (get) => {
  const studyOf = (options: object = {}) => newStudy(get().world, { of: `page ${++studies}`, ...options });

  /** Dana's phone, at work in a study of her own. */
  async function takingPart(options: { permission?: NotificationPermission } = {}) {
    const study = await studyOf();
    const phone = await openPhone(get(), options);
    await begin(phone, get().service.url, study.other, study);
    return { study, phone, ...phone };
  }

  const answerDiary = async ({ page }: Pick<Phone, 'page'>, text: string) => {
    await page.getByRole('link', { name: 'Diary' }).click();
    await page.getByLabel('How did you sleep?').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /Thank you/ }).waitFor();
  };

  test('answers given without a network wait on the phone, and are sent once with the time at which they were given', async () => {
    const { study, page, context } = await takingPart();
    await page.getByRole('link', { name: 'Diary' }).click();
    await page.getByLabel('How did you sleep?').fill('badly');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /are stored on this phone/ }).waitFor();
    // The page is closed, and opened again without a network.
    await openAt(page, get().service.url);
    await page.getByText('One answer waits for the internet.').waitFor();
    await page.getByText('Waiting for the internet').waitFor();
    await expectAccessible(page);
    expect(await answersIn(study)).toEqual([]);

    await context.setOffline(false);
    await page.getByText('Waiting for the internet').waitFor({ state: 'detached' });
    const [given, ...others] = await answersIn(study);
    expect(others).toEqual([]);
    expect(given).toMatchObject({ items: { q1: 'badly' }, responder: study.other.id });
    expect(Date.parse(given.givenAt)).toBeLessThan(Date.parse(given.receivedAt));
    expect(page.complaints).toEqual([]);
  });

  test('answers that wait are sent with the page closed, once the browser says that there is a network again', async () => {
    const { study, page, context, sync } = await takingPart();
    await standIn(context, '/response', (answers) => answers.abort());
    await answerDiary({ page }, 'badly');
    await expect.poll(() => page.evaluate("localStorage.getItem('test.sync')")).toBe('registered');
    await page.goto('about:blank');
    expect(await answersIn(study)).toEqual([]);
    await sync();
    expect((await answersIn(study)).map(({ items }: { items: object }) => items)).toEqual([{ q1: 'badly' }]);
    expect(page.complaints).toEqual([]);
  });

  test('a network that is not there yet when it comes back is tried again after seconds, not after minutes', async () => {
    const { page, context } = await takingPart();
    await context.setOffline(true);
    await openAt(page, get().service.url);
    const offline = page.getByText('No internet. You can still answer.');
    await offline.waitFor();
    let requests = 0;
    await standIn(context, '/user/me/agenda', (agenda) =>
      ++requests > 2 ? agenda.continue() : agenda.abort(),
    );
    await context.setOffline(false);
    await offline.waitFor({ state: 'detached' });
  });

  test('a language that is chosen without a network is told to the service, for phones to come', async () => {
    const { study, page, context } = await takingPart();
    const language = async () => (await study.other.get('/user/me')).body.language;
    await openAt(page, get().service.url, '?view=settings');
    await context.setOffline(true);
    await page.getByLabel('Language').selectOption('Deutsch');
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
    expect(await language()).toBeUndefined();
    await context.setOffline(false);
    await expect.poll(language, { timeout: 60_000 }).toBe('de');
    // Otherwise the phone, which may not have read the answer, would tell the service again.
    await expect.poll(() => keptBy(page, 'chosen-language')).toBeUndefined();
    // Another phone's choice stays until this one chooses again.
    await study.other.patch('/user/me', { language: 'fr' });
    await openAt(page, get().service.url, '?view=settings');
    expect(await language()).toBe('fr');
    await page.getByLabel('Sprache').selectOption('Español');
    await expect.poll(language, { timeout: 60_000 }).toBe('es');
    expect(page.complaints).toEqual([]);
  });

  test('a language is told once, though the network comes back meanwhile: a choice on another phone stays', async () => {
    const { study, page, context } = await takingPart();
    const held = Promise.withResolvers<void>();
    let told = 0;
    await standIn(context, '/user/me', async (me) => {
      if (me.method !== 'PATCH') return me.continue();
      told++;
      await held.promise;
      me.continue();
    });
    await openAt(page, get().service.url, '?view=settings');
    await page.getByLabel('Language').selectOption('Deutsch');
    await expect.poll(() => told).toBe(1);
    await page.evaluate("dispatchEvent(new Event('online'))");
    const waiting = () =>
      page.evaluate<number>('navigator.locks.query().then(({ pending }) => pending.length)');
    await expect.poll(async () => told > 1 || (await waiting()) > 0).toBe(true);
    held.resolve();
    await expect.poll(() => keptBy(page, 'chosen-language')).toBeUndefined();
    await study.other.patch('/user/me', { language: 'fr' });
    await expect.poll(waiting).toBe(0);
    expect(told).toBe(1);
    expect((await study.other.get('/user/me')).body.language).toBe('fr');
  });

  test('an answer whose confirmation is lost is sent again, and stored once; two windows send it once', async () => {
    const { study, page, context } = await takingPart();
    let lost = 0;
    await standIn(context, '/survey/*/response', async (answers) => {
      await answers.fetch();
      lost++;
      answers.abort();
    });
    await page.getByRole('link', { name: 'Diary' }).click();
    await page.getByLabel('How did you sleep?').fill('well');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /are stored on this phone/ }).waitFor();
    expect(lost).toBeGreaterThan(0);
    const before = await answersIn(study);
    expect(before).toHaveLength(1);
    endStandIns(context);

    const second = await context.newPage();
    await Promise.all([openAt(page, get().service.url), openAt(second, get().service.url)]);
    await page.locator('.rows .good').waitFor();
    expect(await answersIn(study)).toEqual(before);
    await answerDiary({ page }, 'better');
    expect(await answersIn(study)).toHaveLength(2);
    const { cases } = (await study.owner.get(`/investigation/${study.id}/cases`)).body;
    expect(cases).toMatchObject([{ creatorIdentifier: study.other.id }]);
  });

  test('an answer that the study refuses stays on the phone with the reason, and can be changed and sent again', async () => {
    const { study, page } = await takingPart();
    await page.getByRole('link', { name: 'Diary' }).click();
    await page.getByLabel('How did you sleep?').fill('as always');
    await study.owner.patch(`/investigation/${study.id}`, { status: 'archived' });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'The study did not accept these answers.' }).waitFor();
    await page.getByText('The study has ended.').waitFor();
    expect(await page.getByText(/Thank you/).count()).toBe(0);
    await openAt(page, get().service.url);
    await page.getByText('One answer could not be accepted.').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'See why' }).click();
    await page.getByText('The study has ended.').waitFor();
    await page.getByText('as always').waitFor();
    await expectAccessible(page);
    expect(await answersIn(study)).toEqual([]);

    await study.owner.patch(`/investigation/${study.id}`, { status: 'active' });
    await page.getByRole('button', { name: 'Change and send again' }).click();
    await expect.poll(() => page.getByLabel('How did you sleep?').inputValue()).toBe('as always');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /have been sent/ }).waitFor();
    expect(await answersIn(study)).toMatchObject([{ items: { q1: 'as always' } }]);
  });

  test('an answer waits while the study is frozen, and is sent by itself when it goes on', async () => {
    const { study, page } = await takingPart();
    const freeze = (status: string) =>
      study.owner.post(`/investigation/${study.id}/freeze`, { status, reason: 'A look at the data' });
    created({ ...(await freeze('frozen')), status: 201 });
    await page.getByRole('link', { name: 'Diary' }).click();
    await page.getByLabel('How did you sleep?').fill('well');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /The study cannot take them right now/ }).waitFor();
    await openAt(page, get().service.url, '?view=sent');
    await page.getByText('The study accepts no changes at the moment.').waitFor();
    await freeze('active');
    await openAt(page, get().service.url);
    await page.locator('.rows .good').waitFor();
    expect(await answersIn(study)).toHaveLength(1);
  });

  test('a half-filled survey survives a closed page', async () => {
    const { page } = await takingPart();
    await page.getByRole('link', { name: 'Diary' }).click();
    await page.getByLabel('When did you wake up?').fill('at six');
    await page.reload();
    await expect.poll(() => page.getByLabel('When did you wake up?').inputValue()).toBe('at six');
  });

  test('time, quiet hours and a pause are the own decision, and hold at once', async () => {
    const { study, page } = await takingPart();
    const me = async () => {
      const answer = await study.other.get('/user/me');
      expect(answer.status).toBe(200);
      return answer.body;
    };
    await openAt(page, get().service.url, '?view=settings');
    const saved = (title: string) => page.locator('section', { hasText: title }).getByText('Saved.');

    await page.getByLabel('Time of reminders').fill('19:45');
    await page
      .locator('section', { hasText: 'Time of reminders' })
      .getByRole('button', { name: 'Save' })
      .click();
    await expect.poll(async () => (await me()).customRemindersTime).toBe('19:45');
    await page.getByRole('button', { name: 'As planned' }).click();
    await expect.poll(async () => (await me()).customRemindersTime).toBe(null);

    await page.getByLabel('Do not disturb me at night').check();
    await page.getByLabel('From').fill('21:30');
    await page.locator('section', { hasText: 'Quiet hours' }).getByRole('button', { name: 'Save' }).click();
    await saved('Quiet hours').waitFor();
    expect((await me()).quietHours).toEqual({ from: '21:30', to: '07:00' });
    await expectAccessible(page);

    await page.getByRole('button', { name: '7 days' }).click();
    // There is also "Until I start them again".
    const resume = page.getByRole('button', { name: 'Start reminders again', exact: true });
    await resume.waitFor();
    const days = (Date.parse((await me()).pausedUntil) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6 - 1 / 12);
    expect(days).toBeLessThanOrEqual(7);
    await openAt(page, get().service.url);
    await page.getByText(/Reminders are paused until/).waitFor();
    await page.getByRole('link', { name: 'Start reminders again' }).click();
    await resume.click();
    await page.getByRole('button', { name: 'Until tomorrow' }).waitFor();
    expect((await me()).pausedUntil).toBeUndefined();
  });

  test('the own data comes as a file, of the own things only', async () => {
    const { study, page } = await takingPart();
    await answerDiary({ page }, 'like a stone');
    await openAt(page, get().service.url, '?view=settings');
    const { name, text } = await savedBy(page, () =>
      page.getByRole('button', { name: 'Get my data' }).click(),
    );
    expect(name).toMatch(/^fieldbell-\d{4}-\d\d-\d\d\.ndjson$/);
    expect(text).toContain('like a stone');
    expect(text).toContain(study.other.id);
    expect(text).not.toContain(study.responder.name);
  });

  test('leaving is asked about once more, ends the membership, and keeps the answers with the study', async () => {
    const { study, page } = await takingPart();
    await answerDiary({ page }, 'well');
    await openAt(page, get().service.url, '?view=settings');
    await page.getByRole('button', { name: 'Leave the study' }).click();
    const dialog = page.getByRole('dialog', { name: /^Leave/ });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Leave the study' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave the study' }).click();
    await page.getByRole('heading', { name: 'You are not taking part in a study' }).waitFor();
    expect((await study.other.get(`/investigation/${study.id}`)).status).toBe(404);
    expect(await answersIn(study)).toHaveLength(1);
  });

  test('a Wi-Fi that answers everything has ended nothing, and given no data', async () => {
    const { study, page } = await takingPart();
    await openAt(page, get().service.url, '?view=settings');
    const hotel = { status: 200, contentType: 'text/html', body: '<h1>Welcome to the hotel</h1>' };
    await standIn(page.context(), '/*/*', (request) => request.fulfill(hotel));
    await page.getByRole('button', { name: 'Get my data' }).click();
    await page.getByText('This needs the internet. Please try again later.').waitFor();
    await page.getByRole('button', { name: 'Delete my account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await dialog.getByText('This needs the internet. Please try again later.').waitFor();
    endStandIns(page.context());
    await openAt(page, get().service.url);
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    expect((await study.other.get('/user/me')).status).toBe(200);
  });

  test('deleting the account ends everything, and the phone forgets it', async () => {
    const { study, page } = await takingPart();
    await openAt(page, get().service.url, '?view=settings');
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete my account' }).click();
    await page.getByRole('heading', { name: 'Take part in a study' }).waitFor();
    await page.getByText('Your account is deleted.').waitFor();
    expect((await study.other.get('/user/me')).status).toBe(403);
    const kept = await page.evaluate(`new Promise((resolve) => {
      const opening = indexedDB.open('fieldbell', 1);
      opening.onsuccess = () => {
        const all = opening.result.transaction(['kept', 'outbox']);
        const read = (name) => new Promise((r) => { const q = all.objectStore(name).getAllKeys(); q.onsuccess = () => r(q.result); });
        Promise.all([read('kept'), read('outbox')]).then(resolve);
      };
    })`);
    expect(JSON.stringify(kept)).not.toMatch(/session|snapshot|cases|draft/);
  });
});

describeConsole(
  'a full study',
  (get) => {
    test('lets answers wait on the phone, which says so, and takes them once something is deleted', async () => {
      const study = await newStudy(get().world, { of: 'full' });
      const { owner, other, survey } = study;
      const night = created(
        await owner.post(`/investigation/${study.id}/case`, { label: 'Night 1' }),
      ).identifier;
      const long = { case: night, items: { q1: 'x'.repeat(700) } };
      const given: string[] = [];
      for (let status = 201; status === 201; ) {
        const answer = await owner.post(`/survey/${survey}/response`, long);
        status = answer.status;
        if (status === 201) given.push(answer.body.uri.split('/').at(-1));
        else expect(answer.body.bound).toBe('MAX_STUDY_BYTES');
      }
      const phone = await openPhone(get());
      const { page } = phone;
      await begin(phone, get().service.url, other, study);
      await page.getByRole('link', { name: 'Diary' }).click();
      await page.getByLabel('How did you sleep?').fill(`badly ${'z'.repeat(700)}`);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('heading', { name: /The study cannot take them right now/ }).waitFor();
      expect(await page.getByText('have been sent').count()).toBe(0);
      await openAt(page, get().service.url);
      await page.getByText(/The study has no room for more answers at the moment/).waitFor();
      await expectAccessible(page);
      expect(await page.locator('.rows .good').count()).toBe(0);
      await openAt(page, get().service.url, '?view=sent');
      await page.getByText('badly').waitFor();
      await expectAccessible(page);
      expect(await answersIn(study)).toHaveLength(given.length);

      const responses = given.map((identifier) => ({ identifier }));
      const gone = await owner.post(`/investigation/${study.id}/delete-items`, {
        responses,
        status: 'deleted',
      });
      expect(gone.status, gone.text).toBe(204);
      await openAt(page, get().service.url);
      await page.locator('.rows .good').waitFor();
      expect(await answersIn(study)).toMatchObject([{ responder: other.id }]);
    });
  },
  { settings: () => ({ MAX_STUDY_BYTES: '6000' }), on: ['node'] },
);
