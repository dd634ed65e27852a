import { expect, test } from 'vitest';
import { lock, newCase, newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone, savedBy } from './support/console.ts';

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
    await page.getByText('Verified: all 4 entries are as they were written').waitFor();
    const locked = page.getByRole('row').filter({ hasText: 'Locked 1 case' });
    await locked.getByText(study.editor.name).waitFor();
    await locked.locator('summary').click();
    await locked.getByRole('button', { name: 'Show them' }).click();
    await expectAccessible(page);
    await locked.getByRole('link', { name: 'Case 1' }).click();
    await page.getByText('Of the case “Night 1”').waitFor();
    await page.goBack();
    const added = page.getByRole('row').filter({ hasText: 'Added a member' }).first();
    await added.locator('summary').click();
    await added.getByText(study.other.name).waitFor();
    await added.getByRole('cell', { name: 'responder' }).waitFor();
    await expectAccessible(page);
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
  });

  test('a log that was changed outside of the service is told so', async () => {
    const { study } = await newLog();
    const page = await get().newPage();
    await page.route('**/activity/verify*', (route) =>
      route.fulfill({ json: { valid: false, entries: 2, brokenAt: 3 } }),
    );
    await page.goto(`${get().service.url}/console/studies/${study.id}/activity#token=${study.owner.token}`);
    await page.getByText('Entry 3 does not fit the one before it').waitFor();
    await expectAccessible(page);
  });

  test('a long log is checked in parts, the rest when asked for', async () => {
    const { study } = await newLog();
    const page = await get().newPage();
    const cursors: (string | null)[] = [];
    await page.route('**/activity/verify*', (route) => {
      const cursor = new URL(route.request().url()).searchParams.get('cursor');
      cursors.push(cursor);
      const entries = 10_000 * cursors.length;
      const next = cursors.length < 3 ? { next: `after-${entries}` } : {};
      return route.fulfill({ json: { valid: true, entries, head: '0'.repeat(64), ...next } });
    });
    await page.goto(`${get().service.url}/console/studies/${study.id}/activity#token=${study.owner.token}`);
    await page.getByText('the first 10,000 entries').waitFor();
    await page.getByRole('button', { name: 'Check the rest' }).click();
    await page.getByText('Verified: all 30,000 entries').waitFor();
    expect(cursors).toEqual([null, 'after-10000', 'after-20000']);
  });

  test('saves the log and its signed head', async () => {
    const { study } = await newLog();
    const page = await get().visit(study.editor, `/studies/${study.id}/activity`);
    const save = (name: string) => savedBy(page, () => page.getByRole('button', { name }).click());
    const lines = (await save('Export')).text.trim().split('\n');
    const head = JSON.parse((await save('Signed head')).text);
    expect(lines).toHaveLength(4);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ position: 4, hash: head.hash });
  });

  test('is not for responders', async () => {
    const { study } = await newLog();
    const page = await get().visit(study.responder, `/studies/${study.id}/activity`);
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    expect(await page.getByRole('link', { name: 'Activity' }).count()).toBe(0);
  });
});
