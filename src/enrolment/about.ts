import type { Context } from '../context.ts';
import { informationFor } from '../studies/information.ts';
import { readUsable } from './enrol.ts';

/**
 * What a code is for: the name of its study, and the information in a language. Says nothing of its other uses and users,
 * and uses nothing up.
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
