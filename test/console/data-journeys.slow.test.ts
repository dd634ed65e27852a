import { expect, test } from 'vitest';
import { eventuallyPasses } from '../support/eventually.ts';
import { lock, newResponse } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone, settled } from './support/console.ts';
import { holding } from './support/holding.ts';
import { entriesOf, nights, row } from './support/nights.ts';

/* The journeys through the screen of data. */

describeConsole('the journeys through data', (get) => {
  const openData = async (query = '') => {
    const { study, cases, responses } = await nights(get());
    const open = (person = study.owner) => get().visit(person, `/studies/${study.id}/data${query}`);
    return { study, cases, responses, open };
  };

  test('a person who edits an item that somebody locks meanwhile reads a sentence, and sees who locked it', async () => {
    const { study, open } = await openData('?kind=cases');
    const [page, other] = [await open(), await open(study.editor)];
    await page.getByRole('checkbox', { name: 'Select all' }).click();
    await page.getByRole('button', { name: 'Archive' }).click();
    const dialog = page.getByRole('dialog', { name: 'Archive 3 cases?' });

    await other.getByRole('checkbox', { name: 'Night 2' }).click();
    await other.getByRole('button', { name: 'Lock', exact: true }).click();
    await other.getByLabel('Reason').fill('Monitored on site');
    await other.getByRole('button', { name: 'Lock 1 case' }).click();
    await other.getByText('Locked 1 case.').waitFor();

    await dialog.getByRole('button', { name: 'Archive 3 cases' }).click();
    await page.getByText(/One of the items is locked, so nothing was changed: “Night 2”/).waitFor();
    await expectAccessible(page);
    await row(page, 'Night 2').getByText('Locked').waitFor();
    await row(page, 'Night 1').getByText('Active').waitFor();
    await page
      .getByText(/Bruno \d+ locked 1 case\./)
      .first()
      .waitFor();
    const [entry] = await entriesOf(study.owner, study);
    expect(entry).toMatchObject({ action: 'items.locked', reason: 'Monitored on site' });
    expect([...page.complaints, ...other.complaints]).toEqual([]);
  });

  test('two people lock the same at once: both succeed, and it is logged once', async () => {
    const { study, open } = await openData();
    const pages = await Promise.all([open(), open(study.editor)]);
    for (const page of pages) {
      await page.getByRole('checkbox', { name: 'Select all' }).click();
      await page.getByRole('button', { name: 'Lock', exact: true }).click();
    }
    await Promise.all(pages.map((page) => page.getByRole('button', { name: 'Lock 3 responses' }).click()));
    await Promise.all(pages.map((page) => page.getByText('Locked 3 responses.').first().waitFor()));
    const locks = (await entriesOf(study.owner, study)).filter(
      ({ action }: { action: string }) => action === 'items.locked',
    );
    expect(locks).toHaveLength(1);
  });

  test('a lock by filter counts first, shows that it works, and is undone for what it locked alone', async () => {
    const { study, responses, open } = await openData();
    await lock(study.editor, study, { responses: responses.slice(0, 1) });
    const before = await entriesOf(study.owner, study);
    const page = await open();
    const dialog = page.getByRole('dialog', { name: 'Lock or unlock by filter' });
    const count = async () => {
      await page.getByRole('button', { name: 'Lock by filter' }).click();
      await expectAccessible(page);
      await dialog.getByLabel('Cases').uncheck();
      await dialog.getByRole('button', { name: 'Count matching items' }).click();
    };
    await count();
    await dialog.getByText('2 responses will be locked.').waitFor();
    expect(await entriesOf(study.owner, study)).toEqual(before);
    await expectAccessible(page);
    await dialog.getByLabel('Reason').fill('Database lock');
    const locking = await holding(page, 'lock-matching');
    await dialog.getByRole('button', { name: 'Lock 2 responses' }).click();
    await dialog.getByRole('progressbar', { name: /^Working on 2 responses/ }).waitFor();
    await (await locking.arrived).continue();
    await page.getByText('Locked 2 responses.').waitFor();
    await row(page, 'Night 3').getByText('Locked').waitFor();
    const [entry, ...older] = await entriesOf(study.owner, study);
    expect(entry).toMatchObject({ reason: 'Database lock', details: { items: { cases: 0, responses: 2 } } });
    expect(older).toEqual(before);

    const undoing = await holding(page, 'lock-items');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('progressbar', { name: 'Undoing the change of 2 responses.' }).waitFor();
    await (await undoing.arrived).continue();
    await page.getByText('Undone.').waitFor();
    await row(page, 'Night 3').getByText('Active').waitFor();
    expect(await page.getByRole('row').getByText('Locked', { exact: true }).count()).toBe(1);
    const [undone] = await entriesOf(study.owner, study);
    expect(undone).toMatchObject({ action: 'items.unlocked', reason: 'Undone in the console' });
    expect(undone?.responses).toHaveLength(2);

    await count();
    await dialog.getByRole('button', { name: 'Change the filter' }).click();
    await dialog.getByLabel('Created before').fill('2020-01-01T00:00');
    await dialog.getByRole('button', { name: 'Count matching items' }).click();
    await dialog.getByText('No matching item is unlocked.').waitFor();
    expect(page.complaints).toEqual([]);
  });

  test('without a network the page stays and says so, and goes on when there is one again', async () => {
    const { study, cases, open } = await openData('?kind=cases');
    const page = await open();
    const notice = page.getByText('No connection to the service.');
    await page.context().setOffline(true);
    await notice.waitFor();
    await row(page, 'Night 2').getByText('Active').waitFor();
    await lock(study.editor, study, { cases: cases.slice(1, 2) });
    await page.context().setOffline(false);
    await row(page, 'Night 2').getByText('Locked').waitFor();
    await notice.waitFor({ state: 'hidden' });

    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Activity' }).click();
    await notice.waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    await settled(page);
    await notice.waitFor({ state: 'hidden' });
    expect(page.complaints).toEqual([]);
  });

  test('answers are shown as they are: markup, right to left, and 64,000 characters', async () => {
    const { study, cases } = await openData();
    const answer = '<script>document.title=1</script><img src=x onerror=document.title=1> \u202eשלום';
    const long = `${'a'.repeat(63_990)} the end`;
    await newResponse(study, study.other, cases[0] ?? '', { q1: answer, q2: long });
    const page = await get().visit(study.editor, `/studies/${study.id}/data?responder=${study.other.id}`);
    await page.getByText(/Of Dana/).waitFor();
    await page.getByRole('link', { name: 'Night 1' }).click();
    await page.getByText('<script>document.title=1</script>').waitFor();
    await page.getByRole('button', { name: 'Show the whole answer' }).click();
    await page.getByText(/a the end$/).waitFor();
    await eventuallyPasses(async () => expect(await page.title()).toContain('Response for Night 1'));
    await expectFitsPhone(page);
    await page.goBack();
    await expectFitsPhone(page);
    expect(page.complaints).toEqual([]);
  });
});
