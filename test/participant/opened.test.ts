import type { Request, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { addressOf, type Place } from '../../participant/places.ts';
import { describeConsole, type Visit } from '../console/support/console.ts';
import { created } from '../support/people.ts';
import { newStudy } from '../support/studies.ts';
import { begin, changeKept, keptBy, openPhone } from './support/phone.ts';
import { expectGood } from './support/screens.ts';

/* Every screen of the page, opened by somebody who has surveys, reminders and answers, while the service takes its time. */

const reminders = {
  type: 'rolling',
  recurrence: '0 12 * * *',
  ends: null,
  notification: { subject: 'Diary', body: 'How was your day?' },
};
const text = { title: 'How do you sleep?', text: 'We ask you every evening.', contact: 'Dr. Ada Blum' };
const notification = '1'.repeat(32);

type Views = Record<Place['view'], Place>;

/** The page, whose requests to the service are held until they are let go. */
async function watch(page: Visit) {
  const faults: string[] = [];
  const held = new Set<Route>();
  let holds = false;
  await page.route(
    (url) => !url.pathname.startsWith('/p/'),
    (route) => {
      if (!holds) return route.continue();
      held.add(route);
    },
  );
  const pending = new Set<Request>();
  page.on('request', (request) => pending.add(request));
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => {
    const { errorText } = request.failure() ?? {};
    // Of a page that is left.
    if (errorText !== 'net::ERR_ABORTED') faults.push(`${request.url()}: ${errorText}`);
    pending.delete(request);
  });
  page.on('response', (answer) => {
    if (answer.status() >= 400) faults.push(`${answer.url()}: ${answer.status()}`);
  });
  return {
    faults,
    hold() {
      held.clear();
      pending.clear();
      holds = true;
    },
    async letGo() {
      const since = Date.now();
      holds = false;
      for (const route of held) await route.continue();
      // The last word of the service, drawn.
      await expect
        .poll(async () => (await keptBy<{ at: number }>(page, 'snapshot'))?.at)
        .toBeGreaterThanOrEqual(since);
      await page.locator('main:not(:has(.loading))').waitFor();
      await expect.poll(() => [...pending].map((request) => request.url())).toEqual([]);
      await page.evaluate(
        'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
      );
    },
  };
}

describeConsole("the opened screens of the participants' page", (get) => {
  test('have something to say and no fault', async () => {
    const { world, service } = get();
    const study = await newStudy(world, { of: 'opened', reminders });
    const { owner, other: person, survey } = study;
    await owner.patch(`/investigation/${study.id}`, { information: { en: text } });
    const items = [{ identifier: 'q1', label: 'Did you feel anything unusual?', answer: { kind: 'yes-no' } }];
    created(await owner.post(`/investigation/${study.id}/survey`, { name: 'Side effects', items }));
    const phone = await openPhone(get());
    const { page } = phone;
    await begin(phone, service.url, person, study);
    await phone.push({ title: 'Diary', body: 'How was your day?', data: { survey, notification } });
    await page.getByRole('link', { name: 'Side effects' }).click();
    await page.getByRole('radio', { name: 'Yes' }).check();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /have been sent/ }).waitFor();
    const { responses } = (await owner.get(`/investigation/${study.id}/responses`)).body;

    const views: Views = {
      today: { view: 'today' },
      survey: { view: 'survey', survey, notification },
      answer: { view: 'answer', survey, response: responses[0].identifier },
      settings: { view: 'settings' },
      reminders: { view: 'reminders' },
      sent: { view: 'sent' },
      about: { view: 'about' },
      join: { view: 'join' },
    };
    const watched = await watch(page);
    const freeze = (status: string) =>
      owner.post(`/investigation/${study.id}/freeze`, { status, reason: 'A check of the data' });
    for (const place of Object.values(views)) {
      for (const what of ['a new phone', 'news'] as const) {
        const where = `${place.view}, ${what}`;
        watched.hold();
        if (what === 'a new phone') await changeKept(page, '() => undefined', 'snapshot');
        else await freeze('frozen');
        await page.goto(service.url + addressOf(place));
        await page.locator('main :is(h1, .loading)').first().waitFor();
        await watched.letGo();
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect(await page.locator('main').innerText(), where).toMatch(/\w/);
        expect([...page.complaints, ...watched.faults], where).toEqual([]);
      }
      await expectGood(page);
      await freeze('active');
    }
  });
});
