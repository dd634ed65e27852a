import { expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import { newMember } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone, settled } from './support/console.ts';
import { nights, row } from './support/nights.ts';

let people = 0;

describeConsole('a monitor', (get) => {
  async function monitored() {
    const { study, cases, responses } = await nights(get());
    const monitor = await newMember(get().world, study, `Mona ${people++}`, 'monitor');
    await study.owner.patch(`/investigation/${study.id}/member/${study.responder.id}`, { code: 'P-017' });
    const open = (path: string, person: Pick<Person, 'token'> = monitor) =>
      get().visit(person, `/studies/${study.id}${path}`);
    return { study, cases, responses, monitor, open };
  }
  /** Buttons and links of the page that change something. */
  const changing =
    /^(?:New|Edit|Add|Make|Change|Archive|Delete|Invite|Remove|Save the|Freeze|Place|Discard|Bring|Review|Mark|Codes|Information|Dates from)\b/;

  test('sees the screens that editors see, without a button that changes something', async () => {
    const { study, cases, responses, open } = await monitored();
    const page = await open('/overview');
    const nav = page.getByRole('navigation', { name: 'Study' });
    expect((await nav.getByRole('listitem').allInnerTexts()).map((text) => text.trim())).toEqual([
      'Overview',
      'Participants',
      'Compliance',
      'Data',
      'Surveys',
      'Members',
      'Activity',
    ]);
    for (const screen of [
      'overview',
      'queue',
      'participants',
      `participants/${study.responder.id}`,
      'compliance',
      'data?kind=cases',
      'data',
      'data/set-aside',
      `data/cases/${cases[0]}`,
      `data/responses/${responses[0]}`,
      'surveys',
      `surveys/${study.survey}`,
      'members',
      'activity',
    ]) {
      await page.goto(`${get().service.url}/console/studies/${study.id}/${screen}`);
      await settled(page);
      const actions = page.getByRole('main').locator('button, a.button');
      const texts = (await actions.allInnerTexts()).map((text) => text.trim());
      expect(
        texts.filter((text) => changing.test(text)),
        screen,
      ).toEqual([]);
      expect(await page.getByText('This page is not for your role').count(), screen).toBe(0);
      await expectAccessible(page);
    }
    expect(page.complaints).toEqual([]);
  });

  test('opens no form and no codes for participants', async () => {
    const { study, responses, open } = await monitored();
    const page = await open('/data');
    for (const screen of [
      `data/responses/${responses[0]}/edit`,
      `surveys/${study.survey}/items`,
      `surveys/${study.survey}/reminders`,
      'members/codes',
      'members/dates',
      'members/information',
      'webhooks',
      'programs',
      'settings',
    ]) {
      await page.goto(`${get().service.url}/console/studies/${study.id}/${screen}`);
      await page.getByRole('heading', { level: 1, name: 'This page is not for your role' }).waitFor();
      await page.getByText('You are a monitor of the study.').waitFor();
    }
    await expectAccessible(page);
    await expectFitsPhone(page);
    expect(page.complaints).toEqual([]);
  });

  test('locks and unlocks, one item and by filter', async () => {
    const { study, cases, responses, open } = await monitored();
    const page = await open(`/data/responses/${responses[0]}`);
    const buttons = page.getByRole('main').getByRole('button');
    await buttons.getByText('Lock', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Lock', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Lock 1 response?' });
    await dialog.getByLabel('Reason').fill('Source data verified');
    await dialog.getByRole('button', { name: 'Lock 1 response' }).click();
    await page.locator('.facts').getByText('“Source data verified”').waitFor();
    await page.getByRole('button', { name: 'Unlock', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlock 1 response' }).click();
    await page.getByText('Unlocked 1 response.').waitFor();
    expect((await study.owner.get(`/response/${responses[0]}`)).body.lockedAt ?? null).toBeNull();

    await page.goto(`${get().service.url}/console/studies/${study.id}/data/cases/${cases[1]}`);
    await page.getByRole('button', { name: 'Lock with responses' }).click();
    const matching = page.getByRole('dialog', { name: 'Lock or unlock by filter' });
    await matching.getByRole('button', { name: 'Count matching items' }).click();
    await matching.getByRole('button', { name: 'Lock 1 case and 1 response' }).click();
    await page.getByText('Locked 1 case and 1 response.').waitFor();
    await page.goto(`${get().service.url}/console/studies/${study.id}/data`);
    await row(page, 'Night 2').getByText('Locked').first().waitFor();
    expect(page.complaints).toEqual([]);
  });

  test('is invited as one, and becomes one by a choice', async () => {
    const { study, monitor, open } = await monitored();
    const page = await open('/members', study.owner);
    await page.getByLabel(`Role of ${study.editor.name}`).selectOption('Monitor');
    await page.getByText(`The role of ${study.editor.name} is now monitor.`).waitFor();
    await page.getByRole('combobox', { name: /^Show/ }).selectOption('Monitor');
    await page.getByRole('rowheader').getByText(monitor.name).waitFor();
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
    await dialog.getByText('Monitors see all data, and lock and unlock.').waitFor();
    await dialog.getByLabel('E-mail address').fill('moritz@example.org');
    await dialog.getByRole('radio', { name: 'Monitor' }).check();
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const invitation = page.getByRole('row').filter({ hasText: 'moritz@example.org' });
    await invitation.getByText('Monitor').waitFor();
    expect(page.complaints).toEqual([]);
  });
});
