import type { Page } from 'playwright-core';

/* The screens of the demo study. */

export interface Shot {
  name: string;
  /** Below the study, from `/console`, or a whole address. */
  path: string;
  /** Steps before the picture is taken. */
  act?: (page: Page) => Promise<unknown>;
}

export const demoShots: readonly Shot[] = [
  { name: 'studies', path: '/console' },
  {
    name: 'create-study',
    path: '/console',
    act: (page) => page.getByRole('button', { name: 'New study' }).click(),
  },
  {
    name: 'overview',
    path: '/overview',
    act: (page) => page.getByRole('heading', { name: 'Needs attention' }).waitFor(),
  },
  { name: 'overview-days', path: '/overview', act: showFourWeeks },
  { name: 'participants', path: '/participants' },
  { name: 'adherence', path: '/adherence' },
  {
    name: 'adherence-year',
    path: '/adherence',
    act: (page) => page.getByLabel('Period').selectOption('366'),
  },
  { name: 'queue', path: '/queue' },
  {
    name: 'palette',
    path: '/overview',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill('chi');
      await page.getByRole('option').first().waitFor();
    },
  },
  { name: 'keys', path: '/participants', act: (page) => page.keyboard.press('?') },
  { name: 'columns', path: '/participants', act: (page) => page.getByText('Columns').click() },
  {
    name: 'saved-filters',
    path: '/participants?attention=unreachable',
    act: async (page) => {
      const openDialog = () => page.getByLabel('Saved filters').selectOption({ label: 'Save or delete …' });
      const dialog = page.getByRole('dialog');
      for (const name of ['To call', 'People of the second ward without a phone that takes pushes']) {
        await openDialog();
        await dialog.getByLabel('Name for the current filters').fill(name);
        await page.keyboard.press('Enter');
        await dialog.waitFor({ state: 'detached' });
      }
      await openDialog();
      await dialog.waitFor();
    },
  },
  {
    name: 'participant',
    path: '/participants',
    act: async (page) => {
      await page.getByRole('link', { name: 'Chidi' }).click();
      await page.getByRole('heading', { name: 'Next reminders' }).waitFor();
    },
  },
  { name: 'data', path: '/data' },
  {
    name: 'data-selected',
    path: '/data',
    act: async (page) => {
      await page.getByRole('checkbox', { name: /Ward 7/ }).click();
    },
  },
  { name: 'data-cases', path: '/data?kind=cases' },
  {
    name: 'lock',
    path: '/data',
    act: async (page) => {
      await page.getByRole('checkbox', { name: /Ward 4/ }).click();
      await page.getByRole('button', { name: 'Lock', exact: true }).click();
    },
  },
  {
    name: 'filter-to-lock',
    path: '/data',
    act: (page) => page.getByRole('button', { name: 'Lock by filter' }).click(),
  },
  {
    name: 'lock-by-filter',
    path: '/data',
    act: async (page) => {
      await page.getByRole('button', { name: 'Lock by filter' }).click();
      await page.getByRole('button', { name: 'Count matching items' }).click();
      await page.getByRole('button', { name: 'Change the filter' }).waitFor();
    },
  },
  {
    name: 'response',
    path: '/data',
    act: async (page) => {
      await page.getByRole('link', { name: /Ward 4/ }).click();
      await page.getByRole('heading', { name: /Response for Ward 4/ }).waitFor();
      await page.getByText('How rested do you feel').first().waitFor();
    },
  },
  {
    name: 'edit-answers',
    path: '/data',
    act: async (page) => {
      await page.getByRole('link', { name: /Ward 4/ }).click();
      await page.getByRole('button', { name: 'Edit answers' }).click();
      await page.getByLabel('Reason for the change').waitFor();
    },
  },
  {
    name: 'create-case',
    path: '/data?kind=cases',
    act: (page) => page.getByRole('button', { name: 'New case' }).click(),
  },
  {
    name: 'case',
    path: '/data?kind=cases',
    act: async (page) => {
      await page.getByRole('link', { name: /Ward 4/ }).click();
      await page.getByRole('heading', { level: 1, name: /Ward 4/ }).waitFor();
    },
  },
  {
    name: 'lock-case',
    path: '/data?kind=cases',
    act: async (page) => {
      await page.getByRole('link', { name: /Ward 4/ }).click();
      await page.getByRole('button', { name: 'Lock with responses' }).click();
      await page.getByRole('button', { name: 'Count matching items' }).click();
      await page.getByText('Of the case').waitFor();
    },
  },
  { name: 'surveys', path: '/surveys' },
  { name: 'survey', path: '/surveys', act: (page) => openDiary(page) },
  { name: 'survey-items', path: '/surveys', act: (page) => follow(page, 'Change name and items') },
  { name: 'reminders', path: '/surveys', act: (page) => follow(page, 'Change reminders') },
  {
    name: 'reminders-random',
    path: '/surveys',
    act: async (page) => {
      await follow(page, 'Change reminders', 'Tired right now?');
      await page.getByRole('checkbox', { name: 'Remind again if there is no answer' }).check();
      await page.getByLabel('Minutes between nudges').fill('10');
      await page.waitForLoadState('networkidle');
    },
  },
  {
    name: 'reminders-fault',
    path: '/surveys',
    act: async (page) => {
      await follow(page, 'Change reminders', 'Tired right now?');
      await page.getByLabel('Until', { exact: true }).first().fill('08:00');
      await page.getByRole('button', { name: 'Save reminders' }).click();
      await page.locator('.fault').first().waitFor();
    },
  },
  {
    name: 'reminders-impact',
    path: '/surveys',
    act: async (page) => {
      await follow(page, 'Change reminders');
      await page.getByRole('radio', { name: 'Some days of the week' }).check();
      await page.getByRole('button', { name: 'Save reminders' }).click();
      await page.getByRole('button', { name: 'Save and reschedule' }).waitFor();
    },
  },
  { name: 'members', path: '/members' },
  { name: 'members-of-role', path: '/members?role=editor' },
  { name: 'deleted-studies', path: '/console/deleted' },
  {
    name: 'invite',
    path: '/members',
    act: async (page) => {
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      await page.getByLabel('E-mail address').fill('dana@example.org');
    },
  },
  { name: 'webhooks', path: '/webhooks' },
  {
    name: 'webhook-added',
    path: '/webhooks',
    act: async (page) => {
      await page.getByRole('button', { name: 'Add a webhook' }).click();
      await page.getByLabel('Address').fill('https://pipeline.example.org/fieldbell');
      await page.getByRole('dialog').getByRole('button', { name: 'Add a webhook' }).click();
      await page.getByRole('button', { name: 'I have copied the secret' }).click();
      await page.getByRole('heading', { name: 'Calls' }).waitFor();
    },
  },
  { name: 'settings', path: '/settings' },
  {
    name: 'freeze',
    path: '/data',
    act: async (page) => {
      await page.getByRole('button', { name: 'Freeze study' }).click();
    },
  },
  {
    name: 'activity',
    path: '/activity',
    act: async (page) => {
      await page.getByText(/^Verified/).waitFor();
      await page.getByRole('button', { expanded: false }).first().click();
    },
  },
];

/** The demo study is new: this answers with the data of four weeks. */
export async function showFourWeeks(page: Page) {
  const days = Array.from({ length: 28 }, (_, n) => {
    const sent = 46 - (n % 5);
    const opened = Math.round(sent * (0.85 - n / 90));
    const answered = opened - (n % 4) - 2;
    const date = `2027-03-${String(n + 1).padStart(2, '0')}`;
    return { date, due: 48, sent, failed: n % 7 === 6 ? 2 : 0, skipped: {}, shown: sent, opened, answered };
  });
  const json = { investigation: 'investigation/demo', from: '2027-03-01', to: '2027-03-28', days };
  await page.route('**/compliance/daily*', (route) => route.fulfill({ json }));
  await page.reload();
  await page.locator('.plot canvas').waitFor();
}

/** The survey of the demo study, and the target of one of its links. */
async function openDiary(page: Page, name = 'Sleep diary') {
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

async function follow(page: Page, link: string, survey?: string) {
  await openDiary(page, survey);
  await page.getByRole('link', { name: link }).click();
  await page.getByRole('button', { name: 'Save' }).waitFor();
}
