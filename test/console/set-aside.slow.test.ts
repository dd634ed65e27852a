import { expect, test } from 'vitest';
import { created } from '../support/people.ts';
import { lock, newCase, newStudy, type Study } from '../support/studies.ts';
import {
  describeConsole,
  expectAccessible,
  expectFitsPhone,
  savedBy,
  settled,
  type Visit,
} from './support/console.ts';
import { entriesOf, row } from './support/nights.ts';

let studies = 0;

/** An item with two values, whose labels mean what they say. */
const pregnant = (first: string, second: string) => ({
  identifier: 'q1',
  label: 'Are you pregnant?',
  answer: {
    kind: 'choice',
    options: [
      { value: '1', label: first },
      { value: '2', label: second },
    ],
  },
});
const sleep = { identifier: 'q2', label: 'How did you sleep?' };

describeConsole('answers of another time', (get) => {
  const newOne = async () => {
    const study = await newStudy(get().world, { of: `aside ${studies++}` });
    await study.owner.patch(`/survey/${study.survey}`, { items: [pregnant('Yes', 'No'), sleep] });
    return study;
  };

  /** Chidi's answer, which arrives after his case was deleted. */
  async function setAside({ id, survey, owner, responder }: Study, answer: string) {
    const night = await newCase({ id }, responder, 'Chidi’s nights');
    const given = Date.now();
    const at = new Date(given).toISOString();
    // The case goes later than the answer was given.
    await expect.poll(() => Date.now()).toBeGreaterThan(given);
    await owner.post(`/investigation/${id}/delete-items`, {
      cases: [{ identifier: night }],
      status: 'deleted',
    });
    const body = { case: night, items: { q1: '1', q2: answer }, at };
    const kept = await responder.post(`/survey/${survey}/response`, body);
    expect(kept.status, kept.text).toBe(202);
  }
  const opened = async (page: Visit, name: string) => {
    await page.getByRole('button', { name }).first().click();
    await page.getByRole('dialog').getByText('How did you sleep?').waitFor();
  };

  test('wait where staff see them, are placed in a case, or are discarded', async () => {
    const study = await newOne();
    await setAside(study, 'like a log');
    await setAside(study, 'not at all');
    const page = await get().visit(study.editor, `/studies/${study.id}/data`);
    await page.getByText('2 answers set aside').waitFor();
    await page.getByRole('link', { name: 'Look at them' }).click();
    await page.getByRole('heading', { level: 1, name: 'Answers set aside' }).waitFor();
    await settled(page);
    await row(page, 'The case was deleted after this answer was given.').first().waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);
    const { name, text } = await savedBy(page, () => page.getByRole('button', { name: 'CSV' }).click());
    expect(name).toMatch(/answers set aside\.csv$/);
    expect(text).toContain('like a log');

    await opened(page, 'Place the answer of Chidi');
    await page.getByRole('dialog').getByText('like a log').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Label of the new case').fill('Nights, found again');
    await page.getByRole('button', { name: 'Place the answer', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Response for Nights, found again' }).waitFor();
    await page.getByText('like a log').first().waitFor();

    await page.goto(`${get().service.url}/console/studies/${study.id}/queue`);
    await page.getByText('1 answer set aside').waitFor();
    await page.getByRole('link', { name: 'Look at them' }).click();
    await opened(page, 'Discard the answer of Chidi');
    await page.getByText('nobody can bring it back').waitFor();
    await page.getByLabel('Reason (optional)').fill('Of the pilot');
    await page.getByRole('button', { name: 'Discard the answer', exact: true }).click();
    await page.getByText('No answer is set aside').waitFor();
    const [discarded, placed] = (await entriesOf(study.owner, study)).filter(
      ({ action }: { action: string }) => action.startsWith('answer.'),
    );
    expect(discarded).toMatchObject({ action: 'answer.discarded', reason: 'Of the pilot' });
    expect(placed).toMatchObject({ action: 'answer.placed' });
    await page.goto(`${get().service.url}/console/studies/${study.id}/activity`);
    await row(page, 'Placed an answer that was set aside').waitFor();
    expect(page.complaints).toEqual([]);
  });

  test('of participants are no matter of theirs', async () => {
    const study = await newOne();
    await setAside(study, 'like a log');
    const page = await get().visit(study.responder, `/studies/${study.id}/data`);
    await page.getByText('There are no responses yet').waitFor();
    expect(await page.getByText('set aside').count()).toBe(0);
  });

  /** A locked “Yes”, and an open one; then an editor swaps the labels, and removes the other item. */
  async function swapped() {
    const study = await newOne();
    const night = await newCase(study, study.editor, 'Night 1');
    const answer = async () => {
      const body = { case: night, items: { q1: '1', q2: 'well' } };
      const { uri } = created(await study.responder.post(`/survey/${study.survey}/response`, body));
      return uri.slice('/response/'.length) as string;
    };
    const [locked, open] = [await answer(), await answer()];
    expect((await lock(study.owner, study, { responses: [locked] })).status).toBe(204);
    return { study, locked, open };
  }

  test('read as on the day they were given, after the labels are swapped and an item is dropped', async () => {
    const { study, locked, open } = await swapped();
    const items = [pregnant('No', 'Yes')];
    expect((await study.editor.patch(`/survey/${study.survey}`, { items })).status).toBe(200);
    const patched = await study.responder.patch(`/response/${open}`, { items: { q2: 'badly' } });
    expect(patched.status, patched.text).toBe(200);
    const page = await get().visit(study.editor, `/studies/${study.id}/data/responses/${locked}`);
    const answers = page.locator('dl.answers');
    await page.getByText('The survey has changed since these answers were given').waitFor();
    await answers.getByText('Yes', { exact: true }).waitFor();
    await answers.getByText('The survey says today: Are you pregnant?: No').waitFor();
    await answers.getByText('How did you sleep?').waitFor();
    await answers.getByText('The survey no longer asks this.').waitFor();
    await expectAccessible(page);
    // On paper, too.
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('The survey has changed since').isVisible()).toBe(true);
    expect(await answers.getByText('Yes', { exact: true }).isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });

    await page.goto(`${get().service.url}/console/studies/${study.id}/data/responses/${open}`);
    await answers.getByText('Yes', { exact: true }).waitFor();
    await page.locator('.revisions').getByText('How did you sleep?:').waitFor();

    await page.goto(`${get().service.url}/console/studies/${study.id}/data`);
    await row(page, 'Night 1').first().getByText('Yes · ').waitFor();
    expect(page.complaints).toEqual([]);
  });

  test('warn whoever changes the wording of a survey, with what changes', async () => {
    const { study } = await swapped();
    const page = await get().visit(study.editor, `/studies/${study.id}/surveys/${study.survey}/items`);
    const first = page.getByRole('group', { name: 'Item 1' });
    await first.getByLabel('Label', { exact: true }).first().fill('Were you pregnant?');
    await page.getByRole('button', { name: 'Remove item 2' }).click();
    await page.getByRole('button', { name: 'Save survey' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('“Are you pregnant?” becomes “Were you pregnant?”: 2 answers.').waitFor();
    await dialog.getByText('“How did you sleep?” is no longer asked.').waitFor();
    await dialog.getByText('Some of the answers are locked.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Go back' }).click();
    expect((await study.owner.get(`/survey/${study.survey}`)).body.items).toHaveLength(2);
    await page.getByRole('button', { name: 'Save survey' }).click();
    await dialog.getByRole('button', { name: 'Save the changes' }).click();
    await page.getByText('Were you pregnant?').waitFor();
    await expect
      .poll(async () => (await study.owner.get(`/survey/${study.survey}`)).body.items.length)
      .toBe(1);
    expect(page.complaints).toEqual([]);
  });
});
