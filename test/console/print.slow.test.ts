import { expect, test } from 'vitest';
import { describeConsole, type Visit } from './support/console.ts';
import { nights } from './support/nights.ts';

const printed = `window.print = () => { window.printed = true; }`;

/** The page as it comes onto paper names its study, who printed it and when, and has no controls. */
async function expectDocument(page: Visit, name: string) {
  await page.evaluate('dispatchEvent(new Event("beforeprint"))');
  await page.emulateMedia({ media: 'print' });
  const head = page.locator('.print-head');
  await head.getByText(new RegExp(`^Printed by ${name}, \\d+ \\w+ \\d{4}, \\d\\d:\\d\\d`)).waitFor();
  await head.locator('.print-study').waitFor();
  // On a sheet in either direction, without margins of 1 cm, the text has the whole width.
  for (const width of [718, 1047]) {
    await page.setViewportSize({ width, height: 718 });
    const box = await page.locator('main').boundingBox();
    expect([box?.x, box?.width]).toEqual([0, width]);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  for (const hidden of ['.top-bar', '.study-nav', '.page-actions', '.filters', 'button:not(.disclosure)'])
    expect(await page.locator(hidden).filter({ visible: true }).count(), hidden).toBe(0);
  await page.emulateMedia({ media: 'screen' });
}

describeConsole(
  'on paper',
  (get) => {
    test('a signed lock, a person’s history, the log and the days are documents', async () => {
      const { study, responses } = await nights(get());
      const { id, owner, responder } = study;
      await owner.post(`/investigation/${id}/lock-items`, {
        responses: [{ identifier: responses[0] }],
        status: 'locked',
        reason: 'Checked',
      });
      // People of these tests have no fresh sign-in, which a signature needs.
      const signature = {
        name: owner.name,
        meaning: 'I have reviewed these answers',
        at: '2027-03-01T20:30:00.000Z',
      };
      const page = await get().newPage();
      await page.route('**/activity?item=*', async (route) => {
        const response = await route.fetch();
        const body = await response.json();
        for (const one of body.activities) if (one.action === 'items.locked') one.signature = signature;
        await route.fulfill({ response, json: body });
      });
      await page.goto(
        `${get().service.url}/console/studies/${id}/data/responses/${responses[0]}#token=${owner.token}`,
      );
      await page.getByText('I have reviewed these answers').first().waitFor();
      await expectDocument(page, owner.name);
      await page.emulateMedia({ media: 'print' });
      expect(
        await page.getByText('I have reviewed these answers').filter({ visible: true }).count(),
      ).toBeGreaterThan(0);
      await page.emulateMedia({ media: 'screen' });

      const visit = (path: string) => get().visit(owner, `/studies/${id}${path}`);
      const activity = await visit('/activity');
      await activity.getByRole('row').nth(1).waitFor();
      await expectDocument(activity, owner.name);
      await activity.emulateMedia({ media: 'print' });
      await activity
        .locator('.print-head p:nth-child(2)')
        .getByText(/\d{4}, \d\d:\d\d/)
        .waitFor();

      const person = await visit(`/participants/${responder.id}`);
      await person.getByRole('region', { name: 'History' }).waitFor();
      await expectDocument(person, owner.name);

      const map = await visit('/compliance');
      await map.evaluate(printed);
      await map.getByRole('button', { name: 'Print' }).click();
      await expect.poll(() => map.evaluate('window.printed'), { timeout: 120_000 }).toBe(true);
      await expectDocument(map, owner.name);
      await map.emulateMedia({ media: 'print' });
      const table = map.locator('.printed-days table');
      await table.getByRole('rowheader', { name: responder.name }).waitFor();
      expect(await table.getByRole('columnheader').count()).toBe(29);
      // Names have 32 mm, several times the width of a day.
      const name = await table.getByRole('rowheader', { name: responder.name }).boundingBox();
      expect(name?.width).toBeGreaterThan(115);
      await map.emulateMedia({ media: 'screen' });
      await map.evaluate('dispatchEvent(new Event("afterprint"))');
      await table.waitFor({ state: 'detached' });

      // The browser's own command prints the rows, too: they are there at the end of its event.
      await map.evaluate(
        'addEventListener("beforeprint", () => { window.rows = document.querySelectorAll(".printed-days tbody tr").length })',
      );
      await map.pdf();
      expect(await map.evaluate('window.rows')).toBe(await map.locator('.day-frame tbody tr').count());
      expect(await map.evaluate('window.rows')).toBeGreaterThan(0);
      await table.waitFor({ state: 'detached' });
      expect(map.complaints).toEqual([]);
    });
  },
  { on: ['node'] },
);
