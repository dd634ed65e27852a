import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { lock, newCase, newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone } from './support/console.ts';

describeConsole('activity', (get) => {
  let studies = 0;
  const newLog = async () => {
    const study = await newStudy(get().world, { of: `${++studies}` });
    const night = await newCase(study, study.editor);
    await lock(study.editor, study, { cases: [night] });
    return { study, night };
  };

  test('says who did what, that the log is as it was written, and what each entry changed', async () => {
    const { study } = await newLog();
    const page = await get().visit(study.owner, `/studies/${study.id}/activity`);
    await page.getByText('Verified: all 4 entries are unaltered').waitFor();
    const locked = page.getByRole('row').filter({ hasText: 'Locked 1 case' });
    await locked.getByText(study.editor.name).waitFor();
    const details = (row: Locator) => row.locator('xpath=following-sibling::tr[1]');
    await locked.getByRole('button', { name: 'Locked 1 case', expanded: false }).click();
    await details(locked).getByRole('button', { name: 'Show the items' }).click();
    await expectAccessible(page);
    const widths = [page.getByRole('table').first(), details(locked)].map(
      async (one) => (await one.boundingBox())?.width,
    );
    const [all, below] = await Promise.all(widths);
    expect(below, 'as wide as the table').toBe(all);
    await details(locked).getByRole('link', { name: 'Case 1' }).click();
    await page.getByRole('heading', { level: 1, name: 'Night 1' }).waitFor();
    await page.getByRole('link', { name: 'Responses for this case' }).click();
    await page.getByText('Of the case “Night 1”').waitFor();
    await page.goBack();
    await page.goBack();
    for (const { name } of [study.editor, study.responder, study.other])
      await page.getByRole('button', { name: `Added a member ${name}`, exact: true }).waitFor();
    const added = page.getByRole('row').filter({ hasText: 'Added a member' }).first();
    await added.getByRole('button', { expanded: false }).click();
    await details(added).getByText(study.other.name).waitFor();
    await details(added).getByRole('cell', { name: 'Participant', exact: true }).waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);
    const frame = page.locator('.table-frame');
    expect(await frame.evaluate((one) => one.scrollWidth - one.clientWidth), 'nothing is cut off').toBe(0);
    const [row, under] = [await added.boundingBox(), await details(added).boundingBox()];
    const field = details(added).locator('tbody tr').first();
    const { y = 0, height = 0 } = (await field.boundingBox()) ?? {};
    const last = await field.locator('td').last().boundingBox();
    expect(y + height - ((last?.y ?? 0) + (last?.height ?? 0)), 'fields stand apart').toBeGreaterThan(5);
    expect(under?.y, 'details follow their row').toBeCloseTo((row?.y ?? 0) + (row?.height ?? 0), 0);
    expect(page.complaints).toEqual([]);
  });

  test('says how far the log is reviewed, and marks the rest with a comment', async () => {
    const { study } = await newLog();
    const page = await get().visit(study.editor, `/studies/${study.id}/activity`);
    await page.getByText('The log has not been reviewed yet.').waitFor();
    await page.getByRole('button', { name: 'Mark as reviewed' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Entries 1 to 4 will count as reviewed by you').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Comment').fill('Review of March: nothing unexpected');
    await dialog.getByRole('button', { name: 'Mark as reviewed' }).click();
    await page.getByText(`Reviewed up to entry 4. Last reviewed by ${study.editor.name},`).waitFor();
    await page.getByText('The log is reviewed up to entry 4').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'Reviewed the log' });
    await row.getByText('Review of March: nothing unexpected').waitFor();
    // The review itself is the newest entry, and so is a download of the log.
    await page.getByRole('button', { name: 'Mark as reviewed' }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await saved;
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'Downloaded data' }).waitFor();
    await expectFitsPhone(page);
    expect(page.complaints).toEqual([]);
  });

  test('shows what happens meanwhile, and one kind of it', async () => {
    const { study, night } = await newLog();
    const page = await get().visit(study.owner, `/studies/${study.id}/activity?action=items.unlocked`);
    await page.getByText('The log has no such entry').waitFor();
    await lock(study.editor, study, { cases: [night] }, 'unlocked');
    await page.getByRole('row').filter({ hasText: 'Unlocked 1 case' }).waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'Added a member' }).count()).toBe(0);
    await page.getByLabel('Show').selectOption({ label: 'Everything' });
    await page.getByRole('row').filter({ hasText: 'Added a member' }).first().waitFor();
    expect(page.url()).not.toContain('action=');
    await study.editor.patch(`/survey/${study.survey}`, { name: 'Evening diary' });
    await page.getByRole('button', { name: 'Changed a survey Evening diary' }).waitFor();
  });

  test('names who came and went, also by what they did themselves', async () => {
    const { study } = await newLog();
    await study.editor.delete(`/investigation/${study.id}/member/me`);
    await study.owner.delete(`/investigation/${study.id}/member/${study.other.id}`);
    const page = await get().visit(study.owner, `/studies/${study.id}/activity`);
    await page.getByRole('button', { name: `Removed a member ${study.editor.name}`, exact: true }).waitFor();
    await page.getByRole('button', { name: `Added a member ${study.editor.name}`, exact: true }).waitFor();
    await page.getByRole('button', { name: `Added a member ${study.responder.name}`, exact: true }).waitFor();
    await expectFitsPhone(page);
    expect(page.complaints).toEqual([]);
  });

  test('a log that was changed outside of the service is told so', async () => {
    const { study } = await newLog();
    const page = await get().newPage();
    await page.route('**/activity/verify*', (route) =>
      route.fulfill({ json: { valid: false, entries: 2, brokenAt: 3 } }),
    );
    await page.goto(`${get().service.url}/console/studies/${study.id}/activity#token=${study.owner.token}`);
    await page.getByText('Entry 3 does not match the entry before').waitFor();
    await expectAccessible(page);
  });

  test('a long log is checked in parts, the rest when asked for', async () => {
    const { study } = await newLog();
    const page = await get().newPage();
    const cursors: (string | null)[] = [];
    const seen = Promise.withResolvers<void>();
    await page.route('**/activity?limit=1', (route) =>
      route.fulfill({ json: { activities: [{ position: 30_000 }] } }),
    );
    await page.route('**/activity/verify*', async (route) => {
      const cursor = new URL(route.request().url()).searchParams.get('cursor');
      cursors.push(cursor);
      if (cursors.length === 3) await seen.promise;
      const entries = 10_000 * cursors.length;
      const next = cursors.length < 3 ? { next: `after-${entries}` } : {};
      return route.fulfill({ json: { valid: true, entries, head: '0'.repeat(64), ...next } });
    });
    await page.goto(`${get().service.url}/console/studies/${study.id}/activity#token=${study.owner.token}`);
    await page.getByText('the first 10,000 entries').waitFor();
    await page.getByRole('button', { name: 'Check the rest' }).click();
    const bar = page.getByRole('progressbar', { name: 'Checked 20,000 of 30,000 entries' });
    await bar.waitFor();
    await expect.poll(() => bar.evaluate((one) => (one as HTMLProgressElement).position)).toBeCloseTo(2 / 3);
    seen.resolve();
    await page.getByText('Verified: all 30,000 entries').waitFor();
    expect(cursors).toEqual([null, 'after-10000', 'after-20000']);
  });
});
