import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeConsole, expectAccessible, expectFitsPhone } from '../console/support/console.ts';
import { created } from '../support/people.ts';
import { newStudy } from '../support/studies.ts';
import { keepSession } from './support/kept-session.ts';
import { begin, keptBy, openAt, openPhone } from './support/phone.ts';

/* Decisions about times, zones and languages, and addresses and files that are not as they should be. */

let studies = 0;
const notification = { subject: 'Diary', body: 'How was your day?' };
const at = (recurrence: string, more = {}) => ({
  type: 'rolling',
  recurrence,
  ends: null,
  notification,
  ...more,
});

/** A browser says another zone, as those that hide theirs do. */
function say(zone: string) {
  const { resolvedOptions } = Intl.DateTimeFormat.prototype;
  Intl.DateTimeFormat.prototype.resolvedOptions = function () {
    return { ...resolvedOptions.call(this), timeZone: zone };
  };
}

describeConsole('decisions of participants', (get) => {
  const url = () => get().service.url;

  async function takingPart(options: BrowserContextOptions = {}) {
    const study = await newStudy(get().world, { of: `settings ${++studies}`, reminders: at('0 21 * * *') });
    const phone = await openPhone(get(), options);
    await begin(phone, url(), study.other, study);
    const me = async () => (await study.other.get('/user/me')).body;
    return { study, phone, page: phone.page, me };
  }

  test('the time of reminders names the surveys that move, and those that do not, before it is saved', async () => {
    const { study, page } = await takingPart();
    for (const [name, reminders] of [
      ['Morning', at('0 8 * * *')],
      ['Moments', at('* * * * *', { windows: [{ from: '09:00', to: '17:00', count: 2 }] })],
      ['Clinic call', at('0 10 * * *', { clock: 'study' })],
    ] as const)
      created(await study.editor.post(`/investigation/${study.id}/survey`, { name, items: [], reminders }));
    await openAt(page, url(), '?view=settings');
    const form = page.locator('form').filter({ hasText: 'Time of reminders' });
    const named = (label: string) => form.getByText(label).locator('+ ul > li').allTextContents();
    await expect
      .poll(async () => (await named('Come at the chosen time')).sort())
      .toEqual(['Diary', 'Morning']);
    expect((await named('Come as the study has planned')).sort()).toEqual(['Clinic call', 'Moments']);
    await expectAccessible(page);
    await expectFitsPhone(page);
  });

  test('a browser that hides its zone is asked once, and reminders go by the zone that its person chooses', async () => {
    const { study, page, me } = await takingPart();
    await page.addInitScript(say, 'UTC');
    await openAt(page, url());
    await page.getByText('Is this your time zone: Europe/Paris?').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'No, choose another' }).click();
    await page.getByText('Reminders go by the time in Europe/Paris.').waitFor();
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await page.getByText('Reminders go by the time in Asia/Tokyo.').waitFor();
    expect((await me()).timeZone).toBe('Asia/Tokyo');
    await expectAccessible(page);
    await openAt(page, url());
    await page.getByRole('heading', { name: 'Coming up' }).waitFor();
    expect(await page.getByText('Is this your time zone').count()).toBe(0);
    // With reminders on this phone, it is the phone's.
    await openAt(page, url(), '?view=reminders');
    await page.getByRole('button', { name: 'Allow reminders' }).click();
    await page.getByRole('heading', { name: 'Reminders are on' }).waitFor();
    await openAt(page, url(), '?view=settings');
    await page.getByLabel('Time zone').selectOption('Europe/Paris');
    await page.getByText('Reminders go by the time in Europe/Paris.').waitFor();
    await expect
      .poll(async () => (await study.other.get('/user/me/devices')).body.devices)
      .toMatchObject([{ timeZone: 'Europe/Paris' }]);
  });

  test('a zone that says nothing is left out of the registration of a phone, and of the code', async () => {
    const { study, page } = await takingPart();
    await page.addInitScript(say, 'Etc/Unknown');
    await page.addInitScript(() => {
      const sent = globalThis.fetch;
      globalThis.fetch = async (...given) => {
        const request = new Request(...given);
        if (request.url.endsWith('/device'))
          sessionStorage.setItem('test.device', await request.clone().text());
        return sent(request);
      };
    });
    await openAt(page, url(), '?view=reminders');
    await page.getByRole('button', { name: 'Allow reminders' }).click();
    const told = () => page.evaluate<string | null>("sessionStorage.getItem('test.device')");
    await expect.poll(told).toContain('"platform":"web"');
    expect(await told()).not.toContain('timeZone');
    const { url: link } = created(
      await study.editor.post(`/investigation/${study.id}/enrolment`, { label: 'Ward' }),
    );
    const other = await openPhone(get());
    await other.page.addInitScript(say, 'Etc/Unknown');
    await other.page.goto(link);
    const joined = other.page.waitForRequest(/\/enrol$/);
    await other.page.getByRole('button', { name: 'Join' }).click();
    expect((await joined).postDataJSON()).not.toHaveProperty('timeZone');
    await other.page.getByRole('heading', { name: 'Should this phone remind you?' }).waitFor();
  });

  test('somebody without reminders who travels has the days of the place; a phone at home moves nobody', async () => {
    const { page, me } = await takingPart();
    await openAt(page, url());
    expect((await me()).timeZone).toBeNull();
    await expect.poll(() => keptBy(page, 'told-zone')).toBe('Europe/Paris');
    await page.addInitScript(say, 'America/New_York');
    await openAt(page, url());
    await expect.poll(async () => (await me()).timeZone).toBe('America/New_York');
  });

  test('a language whose file is out of reach is said, and nothing changes', async () => {
    const study = await newStudy(get().world, { of: `settings ${++studies}` });
    const { page } = await openPhone(get(), { serviceWorkers: 'block' });
    const { token, id: user } = study.other;
    await keepSession(page, url(), { token, user, study: { identifier: study.id, name: 'Sleep' } });
    await openAt(page, url(), '?view=settings');
    await page.context().route('**/p/assets/de-*.js', (route) => route.fulfill({ status: 401, body: '{}' }));
    await page.getByLabel('Language').selectOption('Deutsch');
    await page.getByText('The language could not be loaded.').waitFor();
    expect(await page.getByLabel('Language').inputValue()).toBe('en');
    await expectAccessible(page);
  });

  test('a phone whose own language is out of reach starts in another', async () => {
    const { page } = await openPhone(get(), { serviceWorkers: 'block', locale: 'fr-FR' });
    await page.context().route('**/p/assets/fr-*.js', (route) => route.abort());
    await openAt(page, url());
    await page.getByRole('heading', { name: 'Take part in a study' }).waitFor();
  });

  test('a new build keeps the files of pages that are open, and drops them when none is', async () => {
    const { phone, page } = await takingPart();
    const worker = await phone.worker();
    const activate = `(() => {
      const waits = [];
      self.dispatchEvent(Object.assign(new Event('activate'), { waitUntil: (work) => waits.push(work) }));
      return Promise.all(waits).then(() => caches.keys());
    })()`;
    await worker.evaluate(`caches.open('fieldbell-EARLIER').then((cache) =>
      cache.put('/p/assets/de-EARLIER.js', new Response('export const texts = 1')))`);
    expect(await worker.evaluate(activate)).toContain('fieldbell-EARLIER');
    const read = "fetch('/p/assets/de-EARLIER.js').then((answer) => answer.text())";
    expect(await page.evaluate(read)).toBe('export const texts = 1');
    await page.goto('about:blank');
    await expect.poll(() => worker.evaluate(activate)).not.toContain('fieldbell-EARLIER');
  });

  test('an address that ends in a broken code shows the form, with what could be read', async () => {
    const { page } = await openPhone(get());
    for (const [hash, read] of [
      ['7KQM-2XWD-94PT%', '7KQM-2XWD-94PT'],
      ['100%25%', '100%'],
      ['%E0%A4%A', '%E0%A4%A'],
      ['7KQM%2D2XWD%2D94PT', '7KQM-2XWD-94PT'],
    ]) {
      await page.goto('about:blank');
      await openAt(page, url(), `#${hash}`);
      expect(await page.getByLabel('Your code').inputValue()).toBe(read);
    }
    expect(page.complaints).toEqual([]);
  });
});
