import { expect } from 'vitest';
import { expectAccessible, expectFitsPhone, type Visit } from '../../console/support/console.ts';

/** A screen for eyes, fingers, keyboards and screen readers, at 360 pixels. */
export async function expectGood(page: Visit) {
  await expectAccessible(page);
  await expectFitsPhone(page);
  // WCAG 2.2, 2.5.8; links within sentences are exempt.
  const small =
    await page.evaluate(`[...document.querySelectorAll('button, a, input, select, textarea, label.choice, label.point')]
    .filter((element) => !element.closest('p') && element.getClientRects().length > 0)
    .map((element) => [element.outerHTML.slice(0, 80), element.closest('label.choice, label.point') ?? element])
    .filter(([, element]) => element.getBoundingClientRect().height < 44)
    .map(([html]) => html)`);
  expect(small).toEqual([]);
  expect(page.complaints).toEqual([]);
}
