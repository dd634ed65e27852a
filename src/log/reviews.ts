import type { Context } from '../context.ts';
import { invalid, limitReached } from '../errors.ts';
import { logged } from '../log/logged.ts';
import { type Reviewed, reviewedThrough, selectReviewed, withRange } from '../log/reviewed.ts';
import { type Signing, selectPolicy, sign } from '../permissions/lock-policies.ts';
import { requireUnscoped, selectRole } from '../permissions/visibility.ts';

export interface Review {
  /** The first position; the one after those that are reviewed from the beginning, if omitted. */
  from?: number | undefined;
  to: number;
  comment: string;
  signature?: Signing | undefined;
}

/** Ranges of a log that are reviewed apart from each other; the entry of a review has them all. */
const maxRanges = 100;

/**
 * Notes in the log that a range of it was reviewed; for owners and editors who see all of it, of frozen and archived studies too. Repeating
 * the newest review changes nothing.
 * @throws resource.not-found, action.forbidden, request.invalid, auth.sign-in-stale, limit.reached
 */
export async function reviewLog(context: Context, investigation: string, review: Review): Promise<Reviewed> {
  const { db, actor, now } = context;
  const { to, comment } = review;
  const read = () =>
    [
      selectRole(db, investigation, actor),
      selectPolicy(db, investigation, actor),
      selectReviewed(db, investigation),
    ] as const;
  return logged(context, investigation, read, async ([[me], [policy], [last]], write, head) => {
    requireUnscoped(me, 'review the activity log');
    const signature = sign(context, policy, review.signature);
    if (last && isRepeated(last, actor, review)) return last;

    const reviewed = last?.details.ranges ?? [];
    const from = review.from ?? reviewedThrough(reviewed) + 1;
    if (to > head.position)
      throw invalid('/to', `Expected at most ${head.position}, the position of the newest entry.`);
    if (from > to) throw endsEarly(review, from);
    const ranges = withRange(reviewed, { from, to });
    if (ranges.length > maxRanges)
      throw limitReached(
        'reviews',
        `The log has ${maxRanges} reviewed parts: review what lies between them first.`,
      );

    const details = { from, to, ranges };
    const action = 'log.reviewed';
    await write({ investigation, action, reason: comment, details, signature }, []);
    return { details, at: now, actor, actorName: policy?.signer ?? null, comment };
  });
}

const isRepeated = ({ details, ...last }: Reviewed, actor: string, review: Review) =>
  last.actor === actor &&
  last.comment === review.comment &&
  details.to === review.to &&
  details.from === (review.from ?? details.from);

const pointer = (field: keyof Review) => `/${field}`;

/** The error about a range that ends before it begins. */
const endsEarly = (review: Review, from: number) =>
  review.from === undefined
    ? invalid(
        pointer('to'),
        `Expected at least ${from}: the entries before are reviewed. Send the first position too, to review them again.`,
      )
    : invalid(pointer('from'), `Expected at most ${review.to}, the last position of the range.`);
