import { expect, test } from 'vitest';
import { newPhone } from '../support/phones.ts';
import { newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone, settled } from './support/console.ts';
import { hostile } from './support/hostile.ts';

describeConsole('a participant', (get) => {
  test('is shown with zone, times, pauses and phones, or with none', async () => {
    const study = await newStudy(get().world, { of: 'details' });
    const { editor, responder } = study;
    await responder.patch('/user/me', {
      name: hostile,
      customRemindersTime: '19:15',
      quietHours: { from: '22:00', to: '07:00' },
    });
    await newPhone(get().world, responder, 'Asia/Tokyo', 'ios');
    await responder.put('/user/me/pause', { until: '2099-01-01T00:00:00.000Z' });
    await responder.put('/user/me/pause', { until: null, investigation: study.id });
    const page = await get().visit(editor, `/studies/${study.id}/participants/${responder.id}`);
    const card = page.getByRole('region', { name: 'When and where reminders come' });
    await card.getByText('19:15, chosen by this person').waitFor();
    await card.getByText('22:00 to 07:00').waitFor();
    await card.getByText(/^All reminders until 1 Jan 2099, 09:00 (?:JST|GMT\+9)$/).waitFor();
    await card.getByText('Reminders of this study until they end the pause themselves').waitFor();
    const phone = card.getByRole('listitem').filter({ hasText: 'ios' });
    await phone.getByText('Reachable').waitFor();
    await phone.getByText('Asia/Tokyo, last seen').waitFor();
    await page.getByText('Times are in this person’s zone: Asia/Tokyo.').waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);

    await page.goto(`${get().service.url}/console/studies/${study.id}/participants/${study.other.id}`);
    await settled(page);
    await card.getByText('None. This person gets no notifications').waitFor();
    expect(page.complaints).toEqual([]);

    const path = `${get().service.url}/console/studies/${study.id}/participants`;
    await page.goto(`${path}/${study.owner.id}`);
    await page.getByText('This person does not take part.').waitFor();
    await page.goto(path);
    await page.getByRole('rowheader', { name: study.other.name }).waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(2);
  });
});
