import { ProblemError } from '../client.ts';
import { strings } from './common-strings.ts';
import { Replaced } from './load-part.ts';

/** A refusal that is explained in words for people already. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** What went wrong, as a sentence for people. */
export function messageOf(error: unknown): string {
  const { problem } = strings;
  if (error instanceof Refusal || error instanceof Replaced) return error.message;
  if (error instanceof ProblemError) return problem.byCode[error.code] ?? error.message;
  if (error instanceof DOMException && error.name === 'TimeoutError') return problem.timeout;
  // What `fetch` throws without a network.
  if (error instanceof TypeError && /fetch|network|load failed/i.test(error.message)) return problem.network;
  return problem.unexpected;
}

/** Whether the same may succeed later, such as with a network, or once the person has signed in again. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof Refusal) &&
  !(error instanceof ProblemError && error.status < 500 && error.status !== 401);

/** The service's fault of a field, by its JSON pointer; also of fields within, unless `isExact`. */
export const faultOf = (error: unknown, pointer: string, isExact = false): string | undefined =>
  error instanceof ProblemError
    ? error.errors.find(
        (fault) => fault.pointer === pointer || (!isExact && fault.pointer?.startsWith(`${pointer}/`)),
      )?.detail
    : undefined;
