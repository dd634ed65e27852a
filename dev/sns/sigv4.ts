import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { SnsError } from './errors.ts';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  maxSkewMs: number;
}

export interface SignedRequest {
  method: string;
  /** The request target as sent: path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

interface Authorization {
  accessKeyId: string;
  /** `date/region/service/aws4_request` */
  scope: string;
  signedHeaders: string[];
  signature: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
export const MAX_SKEW_MS = 15 * 60_000;
const MISMATCH =
  'The request signature we calculated does not match the signature you provided. ' +
  'Check your AWS Secret Access Key and signing method. Consult the service documentation for details.';

/**
 * Checks a request's AWS Signature Version 4, sent in the Authorization header; throws the `SnsError` that AWS
 * would answer with. `now` is in ms since the epoch.
 */
export function verifySignature(request: SignedRequest, credentials: Credentials, now: number): void {
  const authorization = parseAuthorization(request.headers.authorization);
  if (authorization.accessKeyId !== credentials.accessKeyId) {
    throw new SnsError('InvalidClientTokenId', 'The security token included in the request is invalid.');
  }
  const date = readDate(request.headers['x-amz-date'], now, credentials.maxSkewMs);
  checkScope(authorization.scope, date, credentials.region);
  checkSignedHeaders(authorization.signedHeaders, request.headers);

  const bodyHash = sha256(request.body);
  const declaredHash = request.headers['x-amz-content-sha256'] ?? bodyHash;
  const canonical = canonicalRequest(request, authorization.signedHeaders, bodyHash);
  const stringToSign = [ALGORITHM, date, authorization.scope, sha256(canonical)].join('\n');
  const expected = hmac(signingKey(credentials.secretAccessKey, authorization.scope), stringToSign);
  const given = Buffer.from(authorization.signature, 'hex');
  if (declaredHash !== bodyHash || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new SnsError('SignatureDoesNotMatch', MISMATCH);
  }
}

function parseAuthorization(header: string | undefined): Authorization {
  if (!header) throw new SnsError('MissingAuthenticationToken', 'Request is missing Authentication Token');
  const parts =
    /^AWS4-HMAC-SHA256 +Credential=([^,\s]+), *SignedHeaders=([^,\s]+), *Signature=([^,\s]+)$/.exec(header);
  const [, credential = '', signedHeaders = '', signature = ''] = parts ?? [];
  const slash = credential.indexOf('/');
  if (slash < 1) {
    throw new SnsError(
      'IncompleteSignature',
      `Authorization header requires '${ALGORITHM} Credential=.../..., SignedHeaders=..., Signature=...'.`,
    );
  }
  return {
    accessKeyId: credential.slice(0, slash),
    scope: credential.slice(slash + 1),
    signedHeaders: signedHeaders.split(';'),
    signature,
  };
}

function readDate(header: string | string[] | undefined, now: number, maxSkewMs: number): string {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(String(header));
  if (!parts) {
    throw new SnsError(
      'IncompleteSignature',
      "Date must be in ISO-8601 'basic format' in the X-Amz-Date header.",
    );
  }
  const [date, year, month, day, hours, minutes, seconds] = parts;
  const skew = now - Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  // Negated, so that an impossible date, whose skew is NaN, is refused too.
  if (!(Math.abs(skew) <= maxSkewMs)) {
    const clock = basicFormat(now);
    throw new SnsError(
      'RequestExpired',
      `Request has expired: signed at ${date}, 15 min. or more from ${clock}.`,
    );
  }
  return date;
}

function checkScope(scope: string, date: string, region: string): void {
  const [scopeDate, scopeRegion, service, terminator] = scope.split('/');
  const expectations: [boolean, string][] = [
    [
      scopeDate === date.slice(0, 8),
      `Date in Credential scope does not match YYYYMMDD of the X-Amz-Date '${date}'.`,
    ],
    [scopeRegion === region, `Credential should be scoped to a valid region, not '${scopeRegion}'.`],
    [service === 'sns', "Credential should be scoped to correct service: 'sns'."],
    [terminator === 'aws4_request', "Credential should be scoped with a valid terminator: 'aws4_request'."],
  ];
  for (const [met, message] of expectations) if (!met) throw new SnsError('SignatureDoesNotMatch', message);
}

function checkSignedHeaders(signed: string[], headers: IncomingHttpHeaders): void {
  const required = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  for (const name of required) {
    if (signed.includes(name)) continue;
    throw new SnsError(
      'SignatureDoesNotMatch',
      `'${name}' must be a 'SignedHeader' in the AWS Authorization.`,
    );
  }
}

function canonicalRequest(
  { method, url, headers }: SignedRequest,
  signed: string[],
  bodyHash: string,
): string {
  const { pathname, searchParams } = new URL(url, 'http://host');
  const query = [...searchParams]
    .map(([name, value]): [string, string] => [encode(name), encode(value)])
    .sort((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]))
    .map((pair) => pair.join('='));
  const canonicalHeaders = signed.map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replace(/ +/g, ' ')}\n`,
  );
  return [method, pathname, query.join('&'), canonicalHeaders.join(''), signed.join(';'), bodyHash].join(
    '\n',
  );
}

/** By code unit, as the standard asks; `localeCompare` would not do. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** RFC 3986's unreserved characters stay, everything else is percent-encoded. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Derived once for a day's scope: four of the five HMACs of a signature. */
function signingKey(secret: string, scope: string): KeyObject {
  const name = `${scope} ${secret}`;
  if (derived.name !== name) {
    const key = scope.split('/').reduce((key: Buffer, part) => hmac(key, part), Buffer.from(`AWS4${secret}`));
    derived = { name, key: createSecretKey(key) };
  }
  return derived.key;
}

let derived = { name: '', key: createSecretKey('none', 'utf8') };

function basicFormat(at: number): string {
  return new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '');
}

function hmac(key: Buffer | KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}
