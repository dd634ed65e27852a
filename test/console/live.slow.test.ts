import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { created } from '../support/people.ts';
import { newCase, newResponse, newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible } from './support/console.ts';
import { nights, row } from './support/nights.ts';

describeConsole(
  'while somebody looks',
  (get) => {
    test('new and changed rows appear by themselves, marked; own changes are not', async () => {
      const { study, responses } = await nights(get());
      const page = await get().visit(study.editor, `/studies/${study.id}/data`);
      await row(page, 'Night 2').waitFor();
      // The look at the feed has begun: an earlier change would be no news.
      await page.waitForResponse('**/changes?*');
      await study.owner.post(`/investigation/${study.id}/lock-items`, {
        responses: [{ identifier: responses[1] }],
        status: 'locked',
      });
      await row(page, 'Night 2').getByText('Changed', { exact: true }).waitFor();
      expect(await row(page, 'Night 1').getByText('Changed', { exact: true }).count()).toBe(0);
      await expectAccessible(page);
      expect(page.complaints).toEqual([]);
    });

    test('rows under the pointer stay where they are until it leaves', async () => {
      const { study } = await nights(get());
      const page = await get().visit(study.editor, `/studies/${study.id}/activity`);
      await page.getByRole('row').nth(1).waitFor();
      await page.waitForResponse('**/changes?*');
      const first = page.getByRole('row').nth(1);
      const before = await first.innerText();
      await first.hover();
      await study.owner.post(`/investigation/${study.id}/lock-items`, {
        cases: [{ identifier: await newCase(study, study.owner) }],
        status: 'locked',
      });
      await page.getByRole('button', { name: /^Show \d+ new rows?$/ }).waitFor();
      expect(await first.innerText()).toBe(before);
      await page.mouse.move(2, 2);
      await first.filter({ hasText: 'Locked 1 case' }).waitFor();
      await first.getByText('New', { exact: true }).waitFor();
      expect(page.complaints).toEqual([]);
    });

    test('a day of compliance changes by itself, with a mark', async () => {
      const study = await newStudy(get().world, { of: 'live days' });
      const { id, owner, responder } = study;
      const evening = created(
        await owner.post(`/investigation/${id}/survey`, {
          name: 'Evening',
          items: [{ identifier: 'q1', label: 'How was the day?' }],
          reminders: {
            type: 'triggered',
            recurrence: null,
            trigger: { survey: study.survey, after: 0 },
            notification: { subject: 'Evening', body: 'How was the day?' },
          },
        }),
      ).identifier;
      const token = randomBytes(32).toString('hex');
      created(
        await responder.post('/user/me/device', { platform: 'android', token, timeZone: 'Europe/Paris' }),
      );
      await responder.post(`/survey/${evening}/download`);
      const own = await newCase(study, owner);
      await newResponse(study, responder, own, { q1: 'slept well' });
      await expect
        .poll(async () => (await responder.get('/user/me/notifications')).body.notifications)
        .toMatchObject([{ state: 'sent' }]);
      const page = await get().visit(owner, `/studies/${id}/compliance`);
      await page.getByRole('link', { name: 'Sent, not opened' }).waitFor();
      await page.waitForResponse('**/changes?*');
      created(await responder.post(`/survey/${evening}/response`, { case: own, items: { q1: 'well' } }));
      await page.getByRole('link', { name: 'Answered, just changed' }).waitFor();
      await page.locator('.day-table [data-fresh]').waitFor();
      await expectAccessible(page);
      expect(page.complaints).toEqual([]);
    });
  },
  { on: ['node'] },
);
