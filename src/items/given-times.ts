import { invalid } from '../errors.ts';
import { byServiceClock, type Clocks, notBefore } from '../schedule/phone-clocks.ts';
import { maxLateMs } from './schema.ts';

interface Stored {
  givenAt: number | null;
  createdAt: number;
}

/**
 * The time is the one that was stored, or led to it when the response was received. With the phone's clock it says nothing: the clock
 * may have been set since.
 */
export function isSameTime(
  { givenAt, createdAt }: Stored,
  { at, clock }: { at?: number | undefined; clock?: number | undefined },
): boolean {
  if (at === undefined || givenAt === null) return at === undefined && givenAt === null;
  return clock !== undefined || byServiceClock(at, { now: createdAt }) === givenAt;
}

interface Since {
  joinedAt: number;
  downloadedAt: number | null;
}

/** When a phone that was offline says that a response was given. @throws request.invalid */
export function givenAtOf(sent: number, since: Since, { now, clock }: Clocks): number {
  const { joinedAt, downloadedAt } = since;
  if (sent > now) throw invalid('/at', 'Expected an instant that is not in the future.');
  if (sent < now - maxLateMs) throw invalid('/at', 'Expected an instant of the last 30 days.');
  const at = notBefore(sent, Math.max(joinedAt, downloadedAt ?? 0), { clock });
  if (at < joinedAt) throw invalid('/at', 'Expected an instant that is not before you joined the study.');
  if (downloadedAt !== null && at < downloadedAt)
    throw invalid('/at', 'Expected an instant that is not before your first download of the survey.');
  return at;
}
