import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';

/*
 * The way through a study that docs/coordinators.md and docs/data-managers.md describe, step by step through the console,
 * with the pictures of both.
 */

/** Pictures of the guides, in the order in which they are taken. Each is `docs/pictures/<name>.webp`. */
export const pictures = [
  'reminders',
  'invite',
  'overview',
  'edit-answers',
  'lock-case',
  'lock-rule',
  'sign',
  'activity',
] as const;

export type Picture = (typeof pictures)[number];

export const picturesFolder = 'docs/pictures';

/** Takes a picture of the page into the folder `PICTURES`, if that is set. */
export async function takePicture(page: Page, name: Picture) {
  const { PICTURES: folder } = process.env;
  if (!folder) return;
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 });
  await writeFile(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
  await session.detach();
}

/** A participant who does by the API what their app would do. */
export interface Participant {
  email: string;
  /** Signs up, which accepts the invitation. */
  join(): Promise<unknown>;
  /** Registers a phone, and downloads the study's survey. */
  open(study: string): Promise<unknown>;
  /** Answers the study's survey for a case of that label. */
  answer(study: string, label: string): Promise<unknown>;
}

export interface Walk {
  /** At the list of studies, signed in as somebody who signed in moments ago. */
  page: Page;
  participants: readonly [Participant, Participant];
  take(picture: Picture): Promise<void>;
}

/** Resolves with the study, its exported log and the signed head of that. */
export async function followGuides(walk: Walk): Promise<{ study: string; log: string; head: string }> {
  const study = await prepare(walk);
  await invite(walk, study);
  await collect(walk, study);
  await lockCase(walk);
  await signLocks(walk);
  const exported = await checkLog(walk);
  await freeze(walk);
  return { study, ...exported };
}

const press = (page: Page, name: string | RegExp) =>
  page
    .getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
    .first()
    .click();

/** Waits until the console has said so, and takes the message off the page. */
const said = async (page: Page, text: string | RegExp) => {
  const toast = page.locator('.toast').filter({ hasText: text });
  await toast.getByRole('button', { name: 'Close' }).click();
  await toast.waitFor({ state: 'detached' });
};

const choose = async (page: Page, entry: string) => {
  await page.getByRole('navigation').getByRole('link', { name: entry, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: entry }).waitFor();
};

/** A study with a survey and its reminders. */
async function prepare({ page, take }: Walk): Promise<string> {
  await press(page, 'New study');
  await page.getByLabel('Name').fill('Sleep of ward teams');
  await page.getByLabel('Everyone who may see an item').check();
  await press(page, 'Create study');
  await page.waitForURL(/studies\/[0-9a-f]{32}/);
  const [, study = ''] = /studies\/([0-9a-f]{32})/.exec(page.url()) ?? [];

  await choose(page, 'Surveys');
  await press(page, 'New survey');
  await page.getByRole('dialog').getByLabel('Name').fill('Sleep diary');
  await press(page, 'Create survey');
  await page.getByRole('link', { name: 'Add items' }).click();
  await page.getByLabel('Identifier').fill('asleep');
  await page.getByLabel('Label').fill('How many hours did you sleep?');
  await press(page, 'Save survey');
  await said(page, 'The survey is saved.');

  await page.getByRole('link', { name: 'Add reminders' }).click();
  await page.getByLabel('Time of day').fill('09:00');
  await page.getByLabel('Title', { exact: true }).fill('Sleep diary');
  await page.getByLabel('Text', { exact: true }).fill('How did you sleep? One minute.');
  const preview = page.getByRole('region', { name: 'Next reminders' });
  await preview
    .getByText(/09:00 /)
    .first()
    .waitFor();
  await page.getByRole('heading', { name: 'Days and times' }).evaluate((heading) => heading.scrollIntoView());
  await take('reminders');
  await press(page, 'Add reminders');
  await press(page, 'Save and reschedule');
  await said(page, 'The reminders are saved.');
  return study;
}

async function invite({ page, participants, take }: Walk, study: string) {
  await choose(page, 'Members');
  for (const [n, { email, join }] of participants.entries()) {
    await press(page, 'Invite');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill(email);
    await dialog.getByRole('radio', { name: 'Participant' }).check();
    await dialog.getByLabel('Code').fill(`P-00${n + 1}`);
    if (n === 0) await take('invite');
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await said(page, `${email} is invited.`);
    await join();
  }
  await participants[0].open(study);
}

async function collect({ page, participants, take }: Walk, study: string) {
  await choose(page, 'Overview');
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  await page.getByText('cannot be reached').first().waitFor();
  await take('overview');
  await page.getByRole('link', { name: 'See who cannot be reached' }).click();
  await page.getByRole('heading', { level: 1, name: 'Participants' }).waitFor();

  await participants[0].answer(study, 'Night 1');
  await participants[1].answer(study, 'Night 2');
  await choose(page, 'Data');
  await page.getByRole('link', { name: /Night 1/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Response for Night 1' }).waitFor();
  await page
    .getByRole('link', { name: 'Edit answers' })
    .or(page.getByRole('button', { name: 'Edit answers' }))
    .click();
  await page.getByLabel('How many hours did you sleep?', { exact: true }).fill('7.5');
  await page.getByLabel('Reason for the change').fill('Typing error, by telephone with P-001');
  await take('edit-answers');
  await press(page, 'Save answers');
  await said(page, 'The answers are saved.');
}

async function lockCase({ page, take }: Walk) {
  await choose(page, 'Data');
  await page.getByText('Cases', { exact: true }).click();
  await page.getByRole('link', { name: /Night 1/ }).click();
  await page.getByRole('heading', { level: 1, name: /Night 1/ }).waitFor();
  await press(page, 'Lock with responses');
  await press(page, 'Count matching items');
  await page.getByText('1 case and 1 response will be locked.').waitFor();
  await page.getByLabel('Reason').fill('Monitored on site');
  await take('lock-case');
  await press(page, 'Lock 1 case and 1 response');
  await said(page, 'Locked 1 case and 1 response.');
}

async function signLocks({ page, take }: Walk) {
  await choose(page, 'Settings');
  await page.getByRole('radio', { name: 'Owners only' }).check();
  await page.getByLabel('Locking, unlocking and freezing need a signature').check();
  await page.getByLabel('Locking, unlocking and freezing need a signature').scrollIntoViewIfNeeded();
  await take('lock-rule');
  await press(page, 'Save settings');
  await said(page, 'The settings are saved.');

  await choose(page, 'Data');
  await press(page, 'Lock by filter');
  await press(page, 'Count matching items');
  await page.getByText(/will be locked\.$/).waitFor();
  await page.getByLabel('Reason').fill('Database lock for the final analysis');
  await page.getByLabel('Meaning of your signature').fill('Reviewed and approved');
  await take('sign');
  await press(page, /^Lock 1 case/);
  await said(page, /^Locked 1 case/);
}

async function checkLog({ page, take }: Walk) {
  await choose(page, 'Activity');
  await page.getByText(/^Verified/).waitFor();
  await take('activity');
  return { log: await saved(page, 'Export'), head: await saved(page, 'Signed head') };
}

/** The text of the file that a button saves. */
async function saved(page: Page, button: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), press(page, button)]);
  return text(await file.createReadStream());
}

async function freeze({ page }: Walk) {
  await choose(page, 'Data');
  await press(page, 'Freeze study');
  await page.getByRole('dialog').getByLabel('Reason').fill('Final analysis');
  await page.getByRole('dialog').getByLabel('Meaning of your signature').fill('Study closed');
  await page.getByRole('dialog').getByRole('button', { name: 'Freeze study', exact: true }).click();
  await said(page, 'The study is frozen.');
}
