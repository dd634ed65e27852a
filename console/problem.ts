import { ProblemError } from '../client/client.ts';
import { strings } from './common-strings.ts';

/** A refusal that is already explained in words for people. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** A problem as a sentence for people. */
export function messageOf(error: unknown): string {
  const { problem } = strings;
  if (error instanceof Refusal) return error.message;
  if (error instanceof ProblemError) return problem.byCode[error.code] ?? error.message;
  if (error instanceof DOMException && error.name === 'TimeoutError') return problem.timeout;
  // The errors of `fetch` without a network.
  if (error instanceof TypeError && /fetch|network|load failed/i.test(error.message)) return problem.network;
  return problem.unexpected;
}

/** Whether the request may succeed later, such as with a network, or after a new sign-in. */
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
