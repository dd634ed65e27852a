import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { SnsError } from './protocol.ts';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  /** The longest that a signature's date may be from the clock. */
  maxSkewMs: number;
}

const mismatch =
  'The request signature we calculated does not match the signature you provided. ' +
  'Check your AWS Secret Access Key and signing method. Consult the service documentation for details.';
const form =
  /^AWS4-HMAC-SHA256 +Credential=([^/,\s]+)\/([^,\s]+), *SignedHeaders=([^,\s]+), *Signature=([^,\s]+)$/;

/**
 * Checks the AWS Signature Version 4 in a request's Authorization header (AWS IAM User Guide, "Create a signed AWS API
 * request"). `now` is epoch ms. @throws the SnsError that AWS answers with
 */
export function verifySignature(
  { method = '', url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  body: Buffer,
  { accessKeyId, secretAccessKey, region, maxSkewMs }: Credentials,
  now: number,
): void {
  if (!headers.authorization)
    throw new SnsError('MissingAuthenticationToken', 'Request is missing Authentication Token');
  const [, keyId, scope = '', names = '', signature = ''] = form.exec(headers.authorization) ?? [];
  if (!keyId)
    throw new SnsError(
      'IncompleteSignature',
      "Authorization header requires 'AWS4-HMAC-SHA256 Credential=.../..., SignedHeaders=..., Signature=...'.",
    );
  if (keyId !== accessKeyId)
    throw new SnsError('InvalidClientTokenId', 'The security token included in the request is invalid.');

  const date = checkDate(String(headers['x-amz-date']), now, maxSkewMs);
  const expectedScope = `${date.slice(0, 8)}/${region}/sns/aws4_request`;
  if (scope !== expectedScope) refuse(`Credential should be scoped to '${expectedScope}', not '${scope}'.`);
  const signed = names.split(';');
  for (const name of ['host', ...Object.keys(headers).filter((header) => header.startsWith('x-amz-'))])
    if (!signed.includes(name)) refuse(`'${name}' must be a 'SignedHeader' in the AWS Authorization.`);

  const bodyHash = sha256(body);
  if ((headers['x-amz-content-sha256'] ?? bodyHash) !== bodyHash) refuse(mismatch);
  const canonicalHeaders = signed.map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replace(/ +/g, ' ')}\n`,
  );
  // A call has its parameters in its body: none in the query.
  const canonicalRequest = [method, url, '', canonicalHeaders.join(''), names, bodyHash].join('\n');
  const stringToSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonicalRequest)].join('\n');
  const expected = hmac(signingKey(secretAccessKey, scope), stringToSign);
  const actual = Buffer.from(signature, 'hex');
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) refuse(mismatch);
}

function refuse(message: string): never {
  throw new SnsError('SignatureDoesNotMatch', message);
}

function checkDate(date: string, now: number, maxSkewMs: number): string {
  if (!/^\d{8}T\d{6}Z$/.test(date))
    throw new SnsError(
      'IncompleteSignature',
      "Date must be in ISO-8601 'basic format' in the X-Amz-Date header.",
    );
  const at = Date.parse(date.replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5'));
  // An impossible date is NaN.
  if (Math.abs(now - at) <= maxSkewMs) return date;
  throw new SnsError('RequestExpired', `Request has expired: signed at ${date}, 15 min. or more from now.`);
}

let derived = { from: '', key: createSecretKey('none', 'utf8') };

/** Derived once per day and key: four of a signature's five HMACs. */
function signingKey(secret: string, scope: string): KeyObject {
  const from = `${scope} ${secret}`;
  if (derived.from !== from) {
    const key = scope.split('/').reduce((key: Buffer, part) => hmac(key, part), Buffer.from(`AWS4${secret}`));
    derived = { from, key: createSecretKey(key) };
  }
  return derived.key;
}

const hmac = (key: Buffer | KeyObject, text: string) => createHmac('sha256', key).update(text).digest();

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');
