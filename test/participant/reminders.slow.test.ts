import { expect, test } from 'vitest';
import { recurrenceSoon } from '../../tools/demo/seed.ts';
import { describeConsole, expectAccessible } from '../console/support/console.ts';
import { newPhone } from '../support/phones.ts';
import { newStudy } from '../support/studies.ts';
import { begin, openAt, openPhone } from './support/phone.ts';

/*
 * Reminders on the phone. The browser of the tests has no push service, so the service reminds another phone of the same
 * person, and the test hands what that one got to the service worker.
 */

let studies = 0;

describeConsole('reminders on the phone', (get) => {
  async function takingPart() {
    const study = await newStudy(get().world, { of: `reminders ${++studies}` });
    const phone = await openPhone(get());
    await begin(phone, get().service.url, study.other, study);
    return { study, phone, page: phone.page };
  }

  test('a push is shown and told; later, a tap and a swipe do what they say; an answer ends it', async () => {
    const { study, phone, page } = await takingPart();
    const { inbox } = await newPhone(get().world, study.other, 'Europe/Paris');
    const notification = { subject: 'Diary', body: 'How was your night?' };
    const reminders = { type: 'rolling', recurrence: recurrenceSoon(Date.now()), ends: null, notification };
    await study.editor.patch(`/survey/${study.survey}`, { reminders });
    // At the full minute.
    await expect.poll(inbox, { timeout: 300_000, interval: 500 }).toHaveLength(1);
    const [{ title, body, data }] = (await inbox()) as [Awaited<ReturnType<typeof inbox>>[number]];
    const id = data.notification ?? '';
    const history = async () => (await study.other.get(`/notification/${id}`)).body;

    await phone.push({ title, body, data });
    expect(await phone.shown()).toMatchObject([
      {
        title: 'Diary',
        options: {
          body: 'How was your night?',
          tag: id,
          lang: 'en',
          actions: [{ action: 'later', title: 'Later' }],
        },
      },
    ]);
    await expect.poll(async () => (await history()).shownAt).toBeDefined();
    await page.getByRole('heading', { name: 'For you now' }).waitFor();
    await expectAccessible(page);

    await phone.tap('later');
    await expect.poll(history).toMatchObject({ nextKind: 'snooze', nextAt: expect.any(String) });
    await phone.swipe();
    expect((await history()).dismissedAt).toBeDefined();
    expect((await history()).openedAt).toBeUndefined();
    await phone.tap();
    await page.getByLabel('How did you sleep?').waitFor();
    expect(page.url()).toContain(`notification=${id}`);
    await expect.poll(async () => (await history()).openedAt).toBeDefined();

    await openAt(page, get().service.url);
    await page.getByText(/You will be reminded at/).waitFor();
    await page.getByRole('button', { name: 'Later: Diary' }).click();
    await page.getByRole('button', { name: 'in one hour' }).click();
    await page
      .getByRole('dialog')
      .getByText(/You will be reminded at/)
      .waitFor();
    await expectAccessible(page);
    expect(Date.parse((await history()).nextAt) - Date.now()).toBeGreaterThan(50 * 60_000);
    await page.getByRole('button', { name: 'Close' }).click();

    await study.other.put('/user/me/pause', { until: null });
    await openAt(page, get().service.url);
    await page.getByText('Reminders are paused.').waitFor();
    expect(await page.getByText(/You will be reminded at/).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Later: Diary' }).count()).toBe(0);

    await page.getByRole('link', { name: 'Answer: Diary' }).click();
    await page.getByLabel('How did you sleep?').fill('well');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /have been sent/ }).waitFor();
    expect((await history()).answeredAt).toBeDefined();
    await page.getByRole('link', { name: 'Today' }).click();
    await page.getByText(/Answered at/).waitFor();
    expect(await page.getByRole('heading', { name: 'For you now' }).count()).toBe(0);
    expect(page.complaints).toEqual([]);
  });

  test('a push that cannot be read is shown all the same: browsers end the subscription of one that is not', async () => {
    const { phone } = await takingPart();
    await phone.push({ title: 'A test', body: 'It works.', data: {} });
    await phone.push([] as object);
    expect(await phone.shown()).toMatchObject([
      { title: 'A test', options: { body: 'It works.' } },
      { title: 'Fieldbell', options: { body: '' } },
    ]);
  });

  test('later without a network brings the notification back, so that it is not lost', async () => {
    const { phone } = await takingPart();
    const data = { survey: '0'.repeat(32), notification: '1'.repeat(32) };
    await phone.push({ title: 'Diary', body: 'How was your night?', data });
    await phone.context.setOffline(true);
    await phone.tap('later');
    const shown = await phone.shown();
    expect(shown).toHaveLength(2);
    expect(shown[1]).toMatchObject({ title: 'Diary', options: { tag: data.notification, silent: true } });
  });

  test('permission is asked for after a press only; a service without web pushes says so', async () => {
    const { page } = await takingPart();
    await page.getByRole('link', { name: 'Allow reminders' }).click();
    await page.context().route('**/push/key', (route) => route.fulfill({ status: 404, body: '{}' }));
    expect(await page.evaluate('Notification.permission')).toBe('default');
    await page.getByRole('button', { name: 'Allow reminders' }).click();
    await page.getByText('This study sends no reminders to browsers').waitFor();
    await expectAccessible(page);
    await expect.poll(() => page.evaluate('Notification.permission')).toBe('granted');
    expect(page.complaints).toEqual([]);
  });
});
