import { expect, test } from 'vitest';
import { newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone, type Visit } from './support/console.ts';

const token = 'f'.repeat(152);

/** The bottom of a page: its text, its ground, and a button, in light and in dark. */
async function lookOf(page: Visit) {
  const looks: unknown[] = [];
  await page.evaluate(`document.body.append(
    Object.assign(document.createElement('button'), { className: 'button', id: 'probe', textContent: 'Probe' }))`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    looks.push(
      await page.evaluate(`['body', '#probe', '.top-bar'].map((name) => {
        const { color, backgroundColor, font, borderRadius, borderColor } = getComputedStyle(document.querySelector(name));
        return { color, backgroundColor, font, borderRadius, borderColor };
      })`),
    );
  }
  await page.evaluate(`document.querySelector('#probe').remove()`);
  return looks;
}

describeConsole('the phones’ page of the local SNS', (get) => {
  test('has the look of the console, and is as accessible and as narrow', async () => {
    const { newPage, service, world, visit } = get();
    const study = await newStudy(world, { of: 'phones' });
    await study.responder.post('/user/me/device', { platform: 'android', token, timeZone: 'Asia/Kolkata' });
    const page = await newPage();
    await page.goto(service.sns.url);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.locator('.phone').first().waitFor();
    expect(await lookOf(page)).toEqual(await lookOf(await visit(study.owner)));
    await expectAccessible(page);
    await expectFitsPhone(page);
    expect(page.complaints).toEqual([]);
  });
});
