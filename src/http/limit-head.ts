import { createMiddleware } from 'hono/factory';
import { getPath } from 'hono/utils/url';
import { invalidParameter, Problem } from '../errors.ts';
import type { Env } from './context.ts';

/** Characters of an address, at least 8,000 of which everybody shall support (RFC 9110, 4.1). */
export const maxAddress = 8_000;

/** Characters of a token: providers list groups in it. */
export const maxAuthorization = 16_000;

const maxHeader = 8_000;

/** The headers that the service reads, beside `authorization`. */
export const readHeaders = [
  'accept',
  'content-length',
  'content-type',
  'if-match',
  'if-none-match',
  'origin',
  'transfer-encoding',
] as const;

/** The path by which a request finds its route: no pattern looks for one of an address that `limitHead` refuses. */
export const boundedPath = (request: Request): string =>
  request.url.length > maxAddress ? '/' : getPath(request);

/**
 * Refuses an address or a header that is longer than any that the service needs. Runtimes allow from 16 KiB for all of
 * them together (Node) to several hundred. @throws request.invalid, auth.token-invalid
 */
export const limitHead = createMiddleware<Env>((c, next) => {
  if (c.req.url.length > maxAddress)
    throw new Problem('request.invalid', `Expected an address of at most ${maxAddress} characters.`);
  if (lengthOf(c.req.header('authorization')) > maxAuthorization)
    throw new Problem('auth.token-invalid', `Expected a token of at most ${maxAuthorization} characters.`);
  for (const name of readHeaders)
    if (lengthOf(c.req.header(name)) > maxHeader)
      throw invalidParameter(name, `Expected a header of at most ${maxHeader} characters.`);
  return next();
});

const lengthOf = (header: string | undefined) => header?.length ?? 0;
