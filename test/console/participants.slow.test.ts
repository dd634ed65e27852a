import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone, savedBy } from './support/console.ts';
import { hostile } from './support/hostile.ts';

let studies = 0;
const evenings = {
  type: 'rolling',
  recurrence: '30 21 * * *',
  ends: null,
  notification: { subject: 'Diary', body: 'How was your day?' },
};

describeConsole('participants', (get) => {
  const newOne = (reminders: object | null = null) =>
    newStudy(get().world, { of: `participants ${studies++}`, reminders });

  test('are filtered by what is in the address, and saved as a file', async () => {
    const study = await newOne();
    await study.responder.put('/user/me/pause', { until: null });
    const page = await get().visit(study.editor, `/studies/${study.id}/participants`);
    await page.getByRole('rowheader', { name: study.other.name }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Show').selectOption({ label: 'Paused' });
    await page.getByRole('rowheader', { name: study.other.name }).waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: study.responder.name }).getByText('Paused').waitFor();
    const saved = await savedBy(page, () => page.getByRole('button', { name: 'Save as CSV' }).click());
    const lines = saved.text.trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(study.responder.id);
    await page.getByLabel('Survey').selectOption({ label: 'Diary' });
    await page.getByLabel('From').fill('2026-01-05');
    await page.getByLabel('To').fill('2026-01-18');
    await page.getByText('Mon, 5 Jan 2026 to Sun, 18 Jan 2026').waitFor();
    const address = new URL(page.url());
    expect(Object.fromEntries(address.searchParams)).toEqual({
      attention: 'paused',
      survey: study.survey,
      from: '2026-01-05',
      to: '2026-01-18',
    });
    await page.reload();
    await page.getByText('Mon, 5 Jan 2026 to Sun, 18 Jan 2026').waitFor();
    await page.getByLabel('To').fill('2026-01-01');
    await page.getByRole('alert').getByText('Expected').waitFor();
    await page.getByLabel('To').fill('2026-01-18');
    await page.getByLabel('Show').selectOption({ label: 'Silent' });
    await page.getByRole('button', { name: 'Show everyone' }).click();
    await page.getByRole('rowheader', { name: study.other.name }).waitFor();
    await expectFitsPhone(page);
    expect(page.complaints).toEqual([]);
  });

  test('each has the rate of answers, and those of whom nothing was due have none', async () => {
    const study = await newOne();
    const page = await get().newPage();
    await page.route('**/compliance?*', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const counted = (due: number, answered: number) => ({ due, sent: due, answered });
      for (const one of body.participants)
        Object.assign(one, one.user === study.responder.id ? counted(8, 6) : counted(0, 0));
      await route.fulfill({ response, json: body });
    });
    await page.goto(
      `${get().service.url}/console/studies/${study.id}/participants#token=${study.editor.token}`,
    );
    const rateOf = async (name: string) => {
      const row = page.getByRole('row').filter({ hasText: name });
      await row.waitFor();
      const columns = await page.getByRole('columnheader').allInnerTexts();
      const at = columns.findIndex((column) => /^answer rate$/i.test(column.trim()));
      return (await row.locator('th, td').allInnerTexts())[at]?.trim();
    };
    expect(await rateOf(study.responder.name)).toBe('75%');
    expect(await rateOf(study.other.name)).toBe('none due');
    expect(page.complaints).toEqual([]);
  });

  test('one of them: what comes next in their zone, and what a pause does to it', async () => {
    const study = await newOne(evenings);
    await study.responder.patch('/user/me', { name: hostile, timeZone: 'America/Lima' });
    await study.responder.put('/user/me/pause', { until: null });
    const page = await get().visit(study.owner, `/studies/${study.id}/participants`);
    await page.getByRole('link', { name: '<script>' }).click();
    await page.getByRole('heading', { level: 1, name: '<script>' }).waitFor();
    await page.getByText('Times are in this person’s zone: America/Lima').waitFor();
    await page.locator('.participant-status').getByText('Unreachable').waitFor();
    await page.locator('.participant-status').getByText('Paused', { exact: true }).waitFor();
    const next = page.getByRole('region', { name: 'Next reminders' });
    await next
      .getByText(/21:30 GMT-5/)
      .first()
      .waitFor();
    await next.getByText(/pause/i).first().waitFor();
    await page.getByRole('row').filter({ hasText: 'Planned' }).waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);
    expect(await page.locator('img[src=x], main script').count()).toBe(0);
    await page.getByRole('link', { name: 'All participants' }).click();
    await page.getByRole('heading', { level: 1, name: 'Participants' }).waitFor();
    expect(page.complaints).toEqual([]);
  });

  test('the time line says why each reminder came, or did not', async () => {
    const study = await newOne(evenings);
    const page = await get().newPage();
    const of = (day: number, more: object) => ({
      identifier: String(day),
      user: study.responder.id,
      survey: study.survey,
      on: `2027-03-0${day}`,
      dueAt: `2027-03-0${day}T20:30:00.000Z`,
      sentAt: null,
      counter: day,
      timeZone: 'Europe/Paris',
      deliveries: [],
      ...more,
    });
    const at = (minute: number) => `2027-03-01T20:${minute}:00.000Z`;
    const delivery = { device: 'f'.repeat(32), platform: 'android', at: at(30) };
    await page.route('**/investigation/*/notifications*', (route) =>
      route.fulfill({
        json: {
          investigation: `investigation/${study.id}`,
          notifications: [
            of(5, { state: 'invalidated', reason: 'stale' }),
            of(4, {
              state: 'failed',
              reason: 'relay',
              deliveries: [{ ...delivery, error: 'InvalidParameter: no such endpoint' }],
            }),
            of(3, { state: 'skipped', reason: 'no-device' }),
            of(2, {
              state: 'sent',
              sentAt: '2027-03-02T20:30:01.000Z',
              followUps: [
                {
                  kind: 'nudge',
                  dueAt: '2027-03-02T21:00:00.000Z',
                  at: at(59),
                  state: 'skipped',
                  reason: 'paused',
                },
                {
                  kind: 'nudge',
                  dueAt: '2027-03-02T21:30:00.000Z',
                  at: at(59),
                  state: 'failed',
                  reason: 'relay',
                },
              ],
            }),
            of(1, {
              state: 'sent',
              sentAt: at(30),
              openedAt: at(41),
              answeredAt: at(44),
              deliveries: [delivery],
            }),
          ],
        },
      }),
    );
    await page.goto(
      `${get().service.url}/console/studies/${study.id}/participants/${study.responder.id}#token=${study.editor.token}`,
    );
    const row = (due: string) =>
      page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: due }) });
    await row('5 Mar 2027')
      .getByText('The reminder will no longer be sent: the reminders were changed.')
      .waitFor();
    await row('4 Mar 2027').getByText('The push service rejected the reminder. Its answer').waitFor();
    await row('4 Mar 2027').getByText('android, ffffff: InvalidParameter: no such endpoint').waitFor();
    await row('3 Mar 2027')
      .getByText('Not sent, because this person had no phone that notifications could reach.')
      .waitFor();
    await row('2 Mar 2027').getByText('not sent, because this person had paused their reminders').waitFor();
    await row('2 Mar 2027').getByText('failed, because the push service rejected the reminder').waitFor();
    await row('2 Mar 2027').getByText('Not answered.').waitFor();
    await row('1 Mar 2027').getByText('Opened 1 Mar 2027, 21:41 CET').waitFor();
    await row('1 Mar 2027').getByText('android, ffffff').waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);
    expect(page.complaints).toEqual([]);
  });

  test('the time line is of all surveys, or of the one in the address', async () => {
    const study = await newOne(evenings);
    const { id, owner, responder } = study;
    const added = await owner.post(`/investigation/${id}/survey`, {
      name: hostile,
      items: [],
      reminders: { ...evenings, recurrence: '0 8 * * *' },
    });
    const mood: string = added.body.identifier;
    const retired = await owner.post(`/investigation/${id}/survey`, {
      name: 'Retired',
      items: [],
      reminders: evenings,
    });
    const list = `/investigation/${id}/notifications?user=${responder.id}`;
    await eventually('all are planned', async () => (await owner.get(list)).body.notifications.length === 3);
    await owner.patch(`/survey/${retired.body.identifier}`, { status: 'archived' });
    const page = await get().visit(owner, `/studies/${id}/participants/${responder.id}`);
    const history = page.getByRole('region', { name: 'History' });
    const of = (name: string) => history.getByRole('row').filter({ has: page.getByRole('link', { name }) });
    await of('Diary').getByText('Planned').waitFor();
    await of('<script>').getByText('Planned').waitFor();
    await of('Retired').getByText('Withdrawn').waitFor();
    const next = page.getByRole('region', { name: 'Next reminders' });
    await next.getByRole('heading', { name: 'Diary' }).waitFor();
    await next.getByRole('heading', { name: '<script>' }).waitFor();
    expect(await next.getByRole('heading', { name: 'Retired' }).count()).toBe(0);
    await expectAccessible(page);
    await expectFitsPhone(page);

    await page.getByLabel('Survey').selectOption(mood);
    await of('Diary').waitFor({ state: 'detached' });
    await history.getByRole('row').filter({ hasText: 'Planned' }).waitFor();
    expect(new URL(page.url()).searchParams.get('survey')).toBe(mood);
    await page.reload();
    await history.getByRole('row').filter({ hasText: 'Planned' }).waitFor();
    expect(await history.getByRole('row').count()).toBe(2);
    await page.getByLabel('Survey').selectOption({ label: 'All surveys' });
    await of('Diary').getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Diary' }).waitFor();
    expect(page.complaints).toEqual([]);
  });
});
