import type { Context } from '../context.ts';
import { informationFor } from '../studies/information.ts';
import { readUsable } from './enrol.ts';

/**
 * The study that a code is for: its name, and its information in a language. Tells nothing of other uses and users of the
 * code, and uses nothing up.
 * @param countUse may refuse @throws resource.not-found
 */
export async function aboutCode(
  context: Pick<Context, 'db' | 'now'>,
  { code, language }: { code: string; language?: string | undefined },
  countUse: () => Promise<void>,
) {
  const { name, timeZone, information } = await readUsable(context, code);
  await countUse();
  return { name, timeZone, information: await informationFor(information, language) };
}
