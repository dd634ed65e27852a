import type { Study } from '../../support/studies.ts';
import { type Console, expectAccessible, type Visit } from './console.ts';

export const weekdays = {
  type: 'rolling',
  recurrence: '30 21 * * 1,3,5',
  notification: { subject: 'Diary', body: 'How was your day?' },
};

/** The form of a study's reminders, as its editor sees it. */
export async function openEditor({ visit }: Console, of: Study): Promise<Visit> {
  const page = await visit(of.editor, `/studies/${of.id}/surveys/${of.survey}/reminders`);
  await page.getByRole('button', { name: /^(Save|Add) reminders$/ }).waitFor();
  return page;
}

/** Answers the question about what the change does. */
export async function confirm(page: Visit, expected: RegExp): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByText(expected).first().waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: /^(Save and reschedule|Stop reminding)$/ }).click();
  await dialog.waitFor({ state: 'detached' });
}
