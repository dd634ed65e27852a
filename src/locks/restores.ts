import type { Context } from '../context.ts';
import type { Growth } from '../permissions/growth.ts';
import { type Held, requireBytes, studyFull } from '../permissions/limits.ts';

type Items = Record<'cases' | 'responses', { bytes: number }[]>;

/** Deleted items free their room at once, and count apart until they are purged; restored ones take it again. */
export function growthOf(transition: string, { cases, responses }: Items): Growth {
  const sign = transition === 'delete' ? -1 : transition === 'undelete' ? 1 : 0;
  const stored = sign * [...cases, ...responses].reduce((sum, { bytes }) => sum + bytes, 0);
  return { cases: sign * cases.length, stored, deleted: -stored };
}

type Size = (Held & { caseCount: number }) | undefined;

/** Deleted items come back only to a study that has room for them. @throws limit.reached */
export function requireRoom(
  { limits }: Pick<Context, 'limits'>,
  size: Size,
  { cases = 0, stored = 0 }: Growth,
): void {
  requireBytes(size, stored, limits);
  if (size && cases > 0 && size.caseCount + cases > limits.cases) throw studyFull('cases', limits.cases);
}
