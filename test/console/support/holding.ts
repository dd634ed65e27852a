import type { Route } from 'playwright-core';
import type { Visit } from './console.ts';

/** Holds back the next request to a path until it is let through, or answered otherwise. */
export async function holding(page: Visit, path: string) {
  const { promise: arrived, resolve } = Promise.withResolvers<Route>();
  await page.route(`**/${path}`, (route) => resolve(route), { times: 1 });
  return { arrived };
}
