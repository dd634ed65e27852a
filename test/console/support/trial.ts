import type { Locator, Page } from 'playwright-core';

/*
 * The way of docs/sites-and-arms.md through the console: a trial with three sites, two blinded arms, a monitor for each site,
 * and a data manager.
 */

export const sites = ['Lyon', 'Paris', 'Nice'] as const;
export const arms = ['a', 'b'] as const;

/** Everybody who is invited: their address, by the part of the trial that they see. */
export interface Invited {
  monitors: Record<(typeof sites)[number], string>;
  dataManager: string;
}

const press = (where: Page | Locator, name: string) =>
  where.getByRole('button', { name, exact: true }).first().click();

/** Waits until the console has said so, and takes the message off the page. */
export async function said(page: Page, text: string | RegExp): Promise<void> {
  const toast = page.locator('.toast').filter({ hasText: text });
  await toast.getByRole('button', { name: 'Close' }).click();
  await toast.waitFor({ state: 'detached' });
}

export async function choose(page: Page, entry: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: entry, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: entry }).waitFor();
}

/** The study, its properties, a survey for everybody and one for an arm. Begins at the list of studies. */
export async function setUpTrial(page: Page): Promise<string> {
  await press(page, 'New study');
  await page.getByLabel('Name').fill('Knees of three towns');
  await page.getByLabel('Owners only').check();
  await press(page, 'Create study');
  await page.waitForURL(/studies\/[0-9a-f]{32}/);
  const [, study = ''] = /studies\/([0-9a-f]{32})/.exec(page.url()) ?? [];

  await choose(page, 'Settings');
  await declare(page, 1, { name: 'site', values: sites });
  await declare(page, 2, { name: 'arm', values: arms, blinded: true });
  await press(page, 'Save settings');
  await said(page, 'The settings are saved.');

  await choose(page, 'Surveys');
  await press(page, 'New survey');
  await page.getByRole('dialog').getByLabel('Name').fill('Evening');
  await press(page.getByRole('dialog'), 'Create survey');
  await page.getByRole('region', { name: 'For' }).getByText('Everybody').waitFor();
  await choose(page, 'Surveys');
  await press(page, 'New survey');
  await page.getByRole('dialog').getByLabel('Name').fill('Questions of the week');
  await page.getByRole('dialog').getByRole('checkbox', { name: 'b', exact: true }).check();
  await press(page.getByRole('dialog'), 'Create survey');
  await page.getByText('Blinded: only owners see this survey').waitFor();
  return study;
}

async function declare(
  page: Page,
  n: number,
  { name, values, blinded = false }: { name: string; values: readonly string[]; blinded?: boolean },
) {
  await press(page, 'Add a property');
  const row = page.getByRole('group', { name: `Property ${n}` });
  await row.getByLabel('Name of the property').fill(name);
  await row.getByLabel('Values').fill(values.join('\n'));
  if (blinded) await row.getByLabel('Blinded').check();
}

/** Invites the monitors, each to see their site, and the data manager, who sees all sites. */
export async function inviteStaff(page: Page, { monitors, dataManager }: Invited): Promise<void> {
  await choose(page, 'Members');
  const invite = async (email: string, role: string, site?: string) => {
    await press(page, 'Invite');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill(email);
    await dialog.getByRole('radio', { name: role }).check();
    const sees = dialog.getByRole('group', { name: 'Sees' });
    if (site) await sees.getByRole('checkbox', { name: site }).check();
    await press(dialog, 'Invite');
    await said(page, `${email} is invited.`);
  };
  for (const site of sites) await invite(monitors[site], 'Monitor', site);
  await invite(dataManager, 'Editor');
}

/** Makes a batch of codes for each site and arm. */
export async function makeCodes(page: Page, howMany: number): Promise<void> {
  await choose(page, 'Participants');
  await page.getByRole('link', { name: 'Codes for participants' }).click();
  for (const site of sites)
    for (const arm of arms) {
      await press(page, 'Make codes');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('How many codes').fill(String(howMany));
      const group = dialog.getByRole('group', { name: 'Properties' });
      await group.getByLabel('site').selectOption(site);
      await group.getByLabel('arm').selectOption(arm);
      await press(dialog, 'Make');
      await page.getByRole('heading', { level: 1, name: /^Sheet with/ }).waitFor();
      await press(page, 'Codes');
    }
}
