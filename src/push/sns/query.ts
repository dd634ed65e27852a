import { readRefusal, SnsFault } from './errors.ts';
import type { Post } from './post.ts';
import { elementText } from './xml.ts';

/**
 * A client of SNS's query protocol (Amazon SNS API, "Making requests": a signed form, answered in XML). It calls an action
 * once, and rejects with an `SnsFault` and nothing else. Never retries: a publish that timed out may have been accepted, so
 * the caller decides whether to repeat it.
 */
export function createSnsQuery(post: Post) {
  return async (
    action: string,
    parameters: Record<string, string>,
    deadline: AbortSignal,
  ): Promise<string> => {
    const body = formOf({ Action: action, Version: '2010-03-31', ...parameters });
    const { status, text } = await post(body, deadline).catch((error: unknown) => {
      if (deadline.aborted) throw deadline.reason;
      throw new SnsFault(0, 'NetworkError', reasonOf(error));
    });
    if (status < 200 || status > 299) throw readRefusal(status, text);
    if (!text.includes(`</${action}Response>`)) throw new SnsFault(0, 'UnreadableAnswer');
    return text;
  };
}

/** The same as `URLSearchParams`, several times faster. Names are SNS's own and need no escaping. */
const formOf = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&');

/** The text of a required element; throws an `SnsFault` when it is missing. */
export function expectText(xml: string, name: string): string {
  const text = elementText(xml, name);
  if (text === undefined || text === '') throw new SnsFault(0, 'UnreadableAnswer');
  return text;
}

/** Node says only "fetch failed" and keeps the reason in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}
