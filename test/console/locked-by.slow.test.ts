import { expect, test } from 'vitest';
import { lock } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone, savedBy, settled } from './support/console.ts';
import { nights, row } from './support/nights.ts';

describeConsole('who locked what, when and why', (get) => {
  /** Bruno locked one with a reason, Chidi, who has a code, another, and Ada the third by a filter. */
  async function locked() {
    const of = await nights(get());
    const { study, cases, responses } = of;
    const { owner, editor, responder } = study;
    await owner.patch(`/investigation/${study.id}/member/${responder.id}`, { code: 'P-017' });
    await editor.post(`/investigation/${study.id}/lock-items`, {
      cases: [{ identifier: cases[0] }],
      responses: [{ identifier: responses[0] }],
      status: 'locked',
      reason: 'Monitored <b>on site</b>',
    });
    await lock(responder, study, { responses: responses.slice(1, 2) });
    await owner.post(`/investigation/${study.id}/lock-matching`, {
      status: 'locked',
      filter: { case: cases[2] },
      reason: 'Database lock',
    });
    const open = (path: string, person = owner) => get().visit(person, `/studies/${study.id}${path}`);
    return { ...of, open };
  }

  test('stands in the list, which asks once for all rows, and in the table that is saved', async () => {
    const { study, open } = await locked();
    const page = await open('/data');
    await row(page, 'Night 1').getByText('by Bruno').waitFor();
    await row(page, 'Night 1').getByText('“Monitored <b>on site</b>”').waitFor();
    await row(page, 'Night 2').getByText('by Chidi').getByText('P-017').waitFor();
    await row(page, 'Night 3').getByText('by Ada').waitFor();
    await row(page, 'Night 3').getByText('“Database lock”').waitFor();
    await row(page, 'Night 3').locator('.state time').waitFor();
    await expectAccessible(page);

    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole('button', { name: 'Cases' }).click();
    await row(page, 'Night 1').getByText('“Monitored <b>on site</b>”').waitFor();
    await settled(page);
    expect(asked.filter((path) => path.endsWith('/cases'))).toHaveLength(1);
    // Beside it the end of the log, as on each screen.
    expect(asked.filter((path) => path.includes('/activity')).length).toBeLessThanOrEqual(2);
    const saved = await savedBy(page, () => page.getByRole('button', { name: 'Save as CSV' }).click());
    expect(saved.text).toContain(`${study.editor.name},Monitored <b>on site</b>`);
    await expectFitsPhone(page);
    expect(page.complaints).toEqual([]);
  });

  test('stands on the item, with all that happened before', async () => {
    const { study, cases, responses, open } = await locked();
    await lock(study.owner, study, { cases: cases.slice(0, 1) }, 'unlocked');
    await lock(study.owner, study, { cases: cases.slice(0, 1) });
    const page = await open(`/data/cases/${cases[0]}`);
    await page.locator('.facts').getByText('by Ada').waitFor();
    const entries = page.getByRole('region', { name: 'Locks, archivals and deletions' });
    await entries.getByText('“Monitored <b>on site</b>”').waitFor();
    const texts = await entries.getByRole('listitem').allInnerTexts();
    expect(texts.map((text) => /^(\w+) .* by (\w+)/.exec(text)?.slice(1))).toEqual([
      ['Locked', 'Ada'],
      ['Unlocked', 'Ada'],
      ['Locked', 'Bruno'],
    ]);
    await expectAccessible(page);
    await expectFitsPhone(page);
    // It is up to date after a change of this page.
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('A typing error');
    await page.getByRole('dialog').getByRole('button', { name: 'Unlock' }).click();
    await entries.getByText('“A typing error”').waitFor();
    expect(await page.locator('.facts').getByText('by Ada').count()).toBe(0);
    await page.getByRole('link', { name: 'Show in the activity log' }).click();
    await page.getByText('Of one item').waitFor();
    await row(page, 'A typing error').waitFor();

    await page.goto(`${get().service.url}/console/studies/${study.id}/data/responses/${responses[2]}`);
    await page.locator('.facts').getByText('“Database lock”').waitFor();
    await entries.getByText('by Ada').waitFor();
    expect(page.complaints).toEqual([]);
  });

  test('is found in a long log too, further back', async () => {
    const { study, cases, open } = await locked();
    const { body } = await study.owner.get(`/investigation/${study.id}/activity?limit=1`);
    // The first thousand entries are about other items.
    const page = await open('/members');
    await page.route(/activity\?.*item=/, (route) =>
      route.request().url().includes('cursor')
        ? route.continue()
        : route.fulfill({
            json: { investigation: `investigation/${study.id}`, activities: [], next: body.next },
          }),
    );
    await page.goto(`${get().service.url}/console/studies/${study.id}/data/cases/${cases[0]}`);
    await page.locator('.facts').getByText('“Monitored <b>on site</b>”').waitFor();
    await page.getByText('The latest entries of the log do not name this item.').waitFor();
    await page.getByRole('button', { name: 'Look further back' }).click();
    await page.getByRole('listitem').getByText('“Monitored <b>on site</b>”').waitFor();
  });

  test('is not for participants, who see since when', async () => {
    const { study, responses, open } = await locked();
    const page = await open('/data', study.responder);
    await row(page, 'Night 1').locator('.state time').waitFor();
    expect(await page.getByText('Monitored').count()).toBe(0);
    await page.goto(`${get().service.url}/console/studies/${study.id}/data/responses/${responses[0]}`);
    await page.locator('.facts').getByText('Locked').waitFor();
    await settled(page);
    expect(await page.getByText('Monitored').count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'Locks, archivals and deletions' }).count()).toBe(0);
    expect(page.complaints).toEqual([]);
  });
});
