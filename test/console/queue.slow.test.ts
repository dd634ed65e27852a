import { expect, test } from 'vitest';
import { newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone, expectFocused } from './support/console.ts';

describeConsole(
  'the people who need somebody',
  (get) => {
    test('are worked through one after another, with cause, time line and next step; who is done leaves', async () => {
      const study = await newStudy(get().world, { of: 'a queue' });
      const { id, owner, responder, other } = study;
      await owner.post(`/investigation/${id}/member`, { email: 'late@example.org', role: 'responder' });
      await responder.put('/user/me/pause', { until: null });
      const page = await get().visit(owner, `/studies/${id}/overview`);
      await page.getByRole('link', { name: 'Work through the list' }).click();
      await page.getByText('3 people need you').waitFor();
      const one = page.locator('.queue-person');
      const isShown = (name: string) => one.getByRole('heading', { level: 2, name }).waitFor();
      const list = page.getByRole('navigation', { name: 'People who need you' });
      const names = (await list.getByRole('link').allInnerTexts()).map((text) => text.split('\n')[0]);
      const first = names[0] ?? '';
      const second = names[1] ?? '';
      expect([first, second].toSorted()).toEqual([responder.name, other.name].toSorted());
      await isShown(first);
      await one.getByText('None of this person’s phones can receive notifications').waitFor();
      await one.getByText('Ask the person to open the app, and to allow notifications').waitFor();
      await one.getByText('do not reach your phone at the moment').waitFor();
      await one.getByText('There has been no reminder yet').waitFor();
      await expectAccessible(page);

      await page.keyboard.press('j');
      await isShown(second);
      // The heading has the focus, so that screen readers go on there.
      await expectFocused(page.locator('#queue-person'));
      await page.keyboard.press('j');
      await isShown('late@example.org');
      await one.getByText(`/console?invitation=${id}`).waitFor();
      await page.keyboard.press('Control+j');
      await page.keyboard.press('k');
      await isShown(second);
      expect(new URL(page.url()).searchParams.get('at')).toMatch(/^[0-9a-f]{32}$/);
      await page.reload();
      await isShown(second);

      await page.keyboard.press('d');
      await isShown('late@example.org');
      await page.getByText('2 people need you').waitFor();
      await page.getByText('1 person is marked as done').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('3 people need you').waitFor();
      await list.getByRole('link', { name: second }).click();
      await isShown(second);
      await page.getByRole('button', { name: 'Done', exact: true }).click();
      await page.reload();
      await page.getByText('2 people need you').waitFor();
      await page.getByRole('button', { name: 'Bring back everyone' }).click();
      await page.getByText('3 people need you').waitFor();
      await expectFitsPhone(page);
      expect(page.complaints).toEqual([]);
    });

    test('see why a reminder failed, however long ago it was', async () => {
      const study = await newStudy(get().world, { of: 'a failure' });
      const { id, owner, responder } = study;
      const page = await get().newPage();
      await page.route(/\/compliance\?(?!.*attention)/, async (route) => {
        const response = await route.fetch();
        const body = await response.json();
        for (const one of body.participants) one.failed = one.user === responder.id ? 1 : 0;
        await route.fulfill({ response, json: body });
      });
      const notifications = Array.from({ length: 20 }, (_, n) => ({
        identifier: String(n),
        user: responder.id,
        survey: study.survey,
        on: `2027-03-${30 - n}`,
        dueAt: `2027-03-${30 - n}T20:30:00.000Z`,
        sentAt: null,
        counter: n,
        timeZone: 'Europe/Paris',
        deliveries: [],
        ...(n === 15 ? { state: 'failed', reason: 'relay' } : { state: 'skipped', reason: 'no-device' }),
      }));
      await page.route('**/investigation/*/notifications*', (route) => {
        const limit = Number(new URL(route.request().url()).searchParams.get('limit'));
        return route.fulfill({
          json: { investigation: `investigation/${id}`, notifications: notifications.slice(0, limit) },
        });
      });
      await page.goto(
        `${get().service.url}/console/studies/${id}/queue?at=${responder.id}#token=${owner.token}`,
      );
      await page.getByText('The push service rejected the reminder.').waitFor();
      expect(await page.getByRole('row').filter({ hasText: 'Mar 2027' }).count()).toBe(9);
    });

    test('are back before the week is over if another cause comes, and gone when nothing is wrong', async () => {
      const study = await newStudy(get().world, { of: 'causes' });
      const { id, owner, responder, other } = study;
      const page = await get().visit(owner, `/studies/${id}/queue`);
      await page.getByText('2 people need you').waitFor();
      await page.getByRole('button', { name: 'Done', exact: true }).click();
      await page.getByText('1 person needs you').waitFor();
      await page.getByRole('button', { name: 'Done', exact: true }).click();
      await page.getByText('Nobody needs you now').waitFor();
      for (const one of [responder, other]) await one.put('/user/me/pause', { until: null });
      await page.reload();
      await page.getByText('2 people need you').waitFor();
      expect(page.complaints).toEqual([]);
    });
  },
  { on: ['node'] },
);
