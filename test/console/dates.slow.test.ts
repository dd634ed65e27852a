import { expect, test } from 'vitest';
import { newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone, savedBy, settled } from './support/console.ts';

let studies = 0;

/** Days after surgery, in a year that is far from today. */
const followUp = {
  type: 'fixed',
  recurrence: '0 9 * * *',
  from: { date: 'surgery' },
  days: [5, 28],
  notification: { subject: 'Your knee', body: 'How is it today?' },
};

describeConsole('dates of people', (get) => {
  async function kneeStudy() {
    const study = await newStudy(get().world, { of: `dates ${studies++}` });
    const path = `/investigation/${study.id}`;
    const declared = await study.owner.patch(path, { dates: ['surgery', 'discharge'] });
    expect(declared.status, declared.text).toBe(200);
    const reminded = await study.editor.patch(`/survey/${study.survey}`, { reminders: followUp });
    expect(reminded.status, reminded.text).toBe(200);
    const coded = await study.editor.patch(`${path}/member/${study.responder.id}`, { code: 'P-1' });
    expect(coded.status, coded.text).toBe(200);
    const courseOf = async (user: string) => {
      const { dates, participation } = (await study.owner.get(`${path}/member/${user}`)).body;
      return { dates, participation };
    };
    return { ...study, path, courseOf };
  }

  test('of one are changed in a dialog, which shows what moves before it saves', async () => {
    const study = await kneeStudy();
    const { responder: chidi, editor } = study;
    const page = await get().visit(editor, `/studies/${study.id}/participants/${chidi.id}`);
    const card = page.getByRole('region', { name: 'Dates and time in the study' });
    await card.getByText('Taking part').waitFor();
    expect(await card.getByText('Not known').count()).toBe(2);
    await card.getByRole('button', { name: 'Change dates and time' }).click();
    const dialog = page.getByRole('dialog', { name: `Dates and time of ${chidi.name}` });
    await expectAccessible(page);
    const show = dialog.getByRole('button', { name: 'Show what moves' });
    const save = dialog.getByRole('button', { name: 'Save' });
    await show.click();
    await dialog.getByText('Nothing changes').waitFor();
    await dialog.getByLabel('surgery').fill('2099-03-02');
    await show.click();
    await dialog.getByText('Reminders of 1 survey move.').waitFor();
    const row = dialog.getByRole('row').filter({ hasText: 'Diary' });
    await row.getByText('No reminders').waitFor();
    await row.getByText('7 Mar 2099, 09:00 CET').waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);
    expect(await study.courseOf(chidi.id)).toEqual({});
    // Another date is looked at anew.
    await dialog.getByLabel('surgery').fill('2099-03-03');
    await dialog.getByLabel('Last day').fill('2020-01-01');
    await save.waitFor({ state: 'detached' });
    await dialog.getByLabel('First day').fill('2020-01-02');
    await show.click();
    await dialog.locator('.fault').getByText('Expected a date that is not before from.').waitFor();
    await dialog.getByLabel('First day').fill('');
    await dialog.getByLabel('Last day').fill('2099-12-31');
    await show.click();
    await row.getByText('8 Mar 2099, 09:00 CET').waitFor();
    await save.click();
    await page.getByText('The dates and the time are saved.').waitFor();
    await card.getByText('Tue, 3 Mar 2099').waitFor();
    await card.getByText('to Thu, 31 Dec 2099').waitFor();
    expect(await study.courseOf(chidi.id)).toEqual({
      dates: { surgery: '2099-03-03' },
      participation: { until: '2099-12-31' },
    });
    // An emptied field takes the date away.
    await card.getByRole('button', { name: 'Change dates and time' }).click();
    await dialog.getByLabel('surgery').fill('');
    await dialog.getByLabel('Last day').fill('');
    await show.click();
    await row.getByText('No reminders').waitFor();
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await study.courseOf(chidi.id)).toEqual({});
    expect(page.complaints).toEqual([]);
  });

  test('of many are set from a table, after its faults and what moves are shown', async () => {
    const study = await kneeStudy();
    const { responder: chidi, other: dana, editor } = study;
    const set = await editor.patch(`${study.path}/member/${chidi.id}`, { dates: { surgery: '2099-03-02' } });
    expect(set.status, set.text).toBe(200);
    const page = await get().visit(editor, `/studies/${study.id}/members`);
    await page.getByRole('link', { name: 'Dates from a table' }).click();
    await settled(page);
    await expectAccessible(page);
    const { text, name } = await savedBy(page, () =>
      page.getByRole('button', { name: 'Save the table' }).click(),
    );
    expect(name).toMatch(/^Sleep.*dates\.csv$/);
    const [head, ...lines] = text.trim().split('\r\n');
    expect(head).toBe('user,code,name,surgery,discharge,from,until');
    expect(lines.toSorted()).toEqual(
      [`${chidi.id},P-1,${chidi.name},2099-03-02,,,`, `${dana.id},,${dana.name},,,,`].toSorted(),
    );

    const field = page.getByLabel('Or paste the table');
    const show = page.getByRole('button', { name: 'Show what moves' });
    await field.fill('code;surgery\nP-1;08.03.2099\nP-7;2099-03-08');
    await show.click();
    const faults = page.getByRole('alert');
    await faults.getByText('2 lines cannot be read. Nothing has been changed.').waitFor();
    await faults.getByText('“08.03.2099” is not a date').waitFor();
    await faults.getByText('Nobody in this study has “P-7”.').waitFor();
    await expectAccessible(page);

    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'dates.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('code;Stra\xdfe\n', 'latin1'),
    });
    await faults.getByText('The file is not in UTF-8.').waitFor();
    const filled = [
      '\uFEFFcode;user;surgery;until',
      'P-1;;2099-03-04;2099-12-31',
      `;${dana.id};2099-05-01;`,
    ].join('\r\n');
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'dates.csv', mimeType: 'text/csv', buffer: Buffer.from(filled) });
    await expect.poll(() => field.inputValue()).toContain('2099-05-01');
    await show.click();
    const effect = page.getByRole('region', { name: '3. Look at what moves' });
    await effect
      .getByText('2 people get other dates, or another time. The reminders of 2 people move.')
      .waitFor();
    const row = effect.getByRole('row').filter({ hasText: chidi.name });
    await row.getByText('P-1').waitFor();
    await row.getByText('Diary').waitFor();
    await row.getByText('7 Mar 2099, 09:00 CET').waitFor();
    await row.getByText('9 Mar 2099, 09:00 CET').waitFor();
    await effect
      .getByRole('row')
      .filter({ hasText: dana.name })
      .getByText('6 May 2099, 09:00 CEST')
      .waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);
    expect(await study.courseOf(dana.id)).toEqual({});
    await effect.getByRole('button', { name: 'Set the dates of 2 people' }).click();
    await page.getByText('The dates of 2 people are set.').waitFor();
    expect(await study.courseOf(chidi.id)).toEqual({
      dates: { surgery: '2099-03-04' },
      participation: { until: '2099-12-31' },
    });
    expect(await study.courseOf(dana.id)).toEqual({ dates: { surgery: '2099-05-01' } });

    const log = await get().visit(editor, `/studies/${study.id}/activity`);
    await log
      .getByRole('row')
      .filter({ hasText: 'Changed dates of people' })
      .first()
      .getByRole('button')
      .click();
    const ofChidi = log.getByRole('row').filter({ hasText: `${chidi.name}: Date “surgery”` });
    await ofChidi.getByRole('cell', { name: '2099-03-02', exact: true }).waitFor();
    await ofChidi.getByRole('cell', { name: '2099-03-04', exact: true }).waitFor();
    await expectAccessible(log);
    await expectFitsPhone(log);
    expect([...page.complaints, ...log.complaints]).toEqual([]);
  });

  test('are looked at slice by slice, and a refusal of the service is shown by line', async () => {
    const study = await kneeStudy();
    const { responder: chidi, other: dana, editor } = study;
    const page = await get().visit(editor, `/studies/${study.id}/members/dates`);
    const asked: (string | undefined)[] = [];
    const [first] = [chidi.id, dana.id].toSorted();
    const goOn = Promise.withResolvers<void>();
    await page.route('**/members/dates', async (route) => {
      const { dryRun, cursor } = route.request().postDataJSON();
      if (!dryRun) return route.continue();
      asked.push(cursor);
      if (cursor === undefined) return route.fulfill({ json: { changed: 2, page: [], next: first } });
      await goOn.promise;
      await route.continue();
    });
    const lines = ['user,surgery', '', `${chidi.id},2099-03-04`, `${dana.id},2099-03-04`];
    await page.getByLabel('Or paste the table').fill(lines.join('\n'));
    await page.getByRole('button', { name: 'Show what moves' }).click();
    await page.getByText('Looked at 1 of 2 people').waitFor();
    expect(await page.getByRole('button', { name: 'Set the dates' }).count()).toBe(0);
    goOn.resolve();
    const set = page.getByRole('button', { name: 'Set the dates of 2 people' });
    await set.waitFor();
    expect(asked).toEqual([undefined, first]);
    expect((await study.owner.delete(`${study.path}/member/${dana.id}`)).status).toBeLessThan(300);
    await set.click();
    const faults = page.getByRole('alert');
    await faults.getByText('Line 4').waitFor();
    await faults.getByText('Expected a member of this study.').waitFor();
    expect(await study.courseOf(chidi.id)).toEqual({});
    expect(page.complaints).toEqual([]);
  });

  test('are named in the settings, where a name in use cannot be taken away, and end after so many days', async () => {
    const study = await kneeStudy();
    const page = await get().visit(study.owner, `/studies/${study.id}/settings`);
    const field = page.getByLabel('Dates of each person');
    expect(await field.inputValue()).toBe('surgery\ndischarge');
    await field.fill('discharge');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page
      .getByText('The reminders of the survey “Diary” count from the date “surgery”: change them first.')
      .waitFor();
    await expectAccessible(page);
    await field.fill('surgery, first visit\n');
    await page.getByLabel('Days for which each person takes part').fill('42');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('The settings are saved.').waitFor();
    const shown = (await study.owner.get(study.path)).body;
    expect([shown.dates, shown.participationDays]).toEqual([['surgery', 'first visit'], 42]);
    // Somebody else changes them meanwhile.
    await page.reload();
    await settled(page);
    await page.getByLabel('Days for which each person takes part').fill('');
    await study.owner.patch(study.path, { dates: ['surgery'], participationDays: 7 });
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Dates of each person: surgery. Each person takes part for 7 days.').waitFor();
    await page.getByRole('button', { name: 'Continue with my version' }).click();
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('The settings are saved.').waitFor();
    const after = (await study.owner.get(study.path)).body;
    expect([after.dates, after.participationDays]).toEqual([['surgery', 'first visit'], undefined]);
    expect(page.complaints).toEqual([]);
  });

  test('tell who is before, in and after their time, and the list is narrowed to them', async () => {
    const study = await kneeStudy();
    const { responder: chidi, other: dana, editor } = study;
    const page = await get().visit(editor, `/studies/${study.id}/participants`);
    await page.getByRole('rowheader', { name: chidi.name }).waitFor();
    const filter = page.getByLabel('Time in the study');
    expect(await filter.count()).toBe(0);
    const set = await editor.patch(`${study.path}/member/${dana.id}`, {
      participation: { from: '2099-01-01' },
    });
    expect(set.status, set.text).toBe(200);
    await page.reload();
    await page.getByRole('row').filter({ hasText: dana.name }).getByText('Not begun').waitFor();
    await expectAccessible(page);
    await filter.selectOption({ label: 'Over' });
    await page.getByText('No participant matches these filters').waitFor();
    await filter.selectOption({ label: 'Not begun' });
    await page.getByRole('rowheader', { name: dana.name }).waitFor();
    expect(new URL(page.url()).searchParams.get('time')).toBe('before');
    expect(await page.getByRole('rowheader').count()).toBe(1);
    await expectFitsPhone(page);
    expect(page.complaints).toEqual([]);
  });

  test('are carried by codes for participants, and shown beside them', async () => {
    const study = await kneeStudy();
    const page = await get().visit(study.editor, `/studies/${study.id}/members/codes`);
    await page.getByRole('button', { name: 'Make codes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make codes' });
    await dialog.getByText('Dates and time of the people who use these codes').click();
    await dialog.getByLabel('surgery').fill('2099-03-02');
    await dialog.getByLabel('First day').fill('2099-03-01');
    await dialog.getByLabel('Last day').fill('2099-02-01');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Make', exact: true }).click();
    await dialog.locator('.fault').getByText('Expected a date that is not before from.').waitFor();
    await dialog.getByLabel('Last day').fill('2099-04-01');
    await dialog.getByRole('button', { name: 'Make', exact: true }).click();
    await page.getByRole('heading', { name: 'Sheet with 1 code' }).waitFor();
    await page.getByRole('button', { name: 'Codes', exact: true }).click();
    await page.getByText('surgery: Mon, 2 Mar 2099').waitFor();
    await page.getByText('Sun, 1 Mar 2099 to Wed, 1 Apr 2099').waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);
    const [code] = (await study.editor.get(`${study.path}/enrolments`)).body.enrolments;
    expect(code).toMatchObject({
      dates: { surgery: '2099-03-02' },
      participation: { from: '2099-03-01', until: '2099-04-01' },
    });
    expect(page.complaints).toEqual([]);
  });
});
