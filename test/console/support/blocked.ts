import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/** The button is in its place, cannot be pressed, and screen readers read the reason with it. */
export async function expectBlocked(button: Locator, reason: RegExp): Promise<void> {
  await button.and(button.page().getByRole('button', { disabled: true })).waitFor();
  const described = await button.evaluate(
    (element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.innerText ?? '',
  );
  expect(described).toMatch(reason);
}
