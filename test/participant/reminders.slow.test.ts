import { expect, test } from 'vitest';
import { describeConsole, expectAccessible } from '../console/support/console.ts';
import { newStudy } from '../support/studies.ts';
import { begin, openPhone } from './support/phone.ts';
import { standIn } from './support/stand-ins.ts';

/* Pushes that are handed to the service worker, and the permission. */

let studies = 0;

describeConsole('reminders on the phone', (get) => {
  async function takingPart() {
    const study = await newStudy(get().world, { of: `reminders ${++studies}` });
    const phone = await openPhone(get());
    await begin(phone, get().service.url, study.other, study);
    return { study, phone, page: phone.page };
  }

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
    await standIn(page.context(), '/push/key', (key) => key.fulfill({ status: 404, body: '{}' }));
    expect(await page.evaluate('Notification.permission')).toBe('default');
    await page.getByRole('button', { name: 'Allow reminders' }).click();
    await page.getByText('This study sends no reminders to browsers').waitFor();
    await expectAccessible(page);
    await expect.poll(() => page.evaluate('Notification.permission')).toBe('granted');
    expect(page.complaints).toEqual([]);
  });
});
