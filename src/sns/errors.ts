import type { Outcome } from '../services.ts';
import { elementText } from './xml.ts';

/** A call that SNS refused, or that brought no readable answer (`status` 0): that one may have been carried out. */
export class SnsFault extends Error {
  /** HTTP status, or 0. */
  readonly status: number;
  /** SNS's error code without its suffix "Exception", or a name given here. */
  readonly code: string;

  constructor(status: number, code: string, message = '') {
    super(message);
    this.name = 'SnsFault';
    this.status = status;
    this.code = code;
  }
}

/** Refusals that concern every push alike; any other of status 401 or 403 counts too (AWS, "Common errors"). */
const MISCONFIGURED = new Set([
  'PlatformApplicationDisabled',
  'AuthorizationError',
  'InvalidClientTokenId',
  'UnrecognizedClient',
  'SignatureDoesNotMatch',
  'IncompleteSignature',
  'InvalidSecurity',
  'ExpiredToken',
  'MissingAuthenticationToken',
  'RequestExpired',
]);

/** Reads a refusal: `<ErrorResponse><Error><Code/><Message/></Error></ErrorResponse>`, or any other text. */
export function readRefusal(status: number, text: string): SnsFault {
  const code = elementText(text, 'Code');
  // Whoever answers without a code is not SNS but something on the way, and its words are not worth keeping.
  if (code === undefined || !/^[\w.]{1,64}$/.test(code)) return new SnsFault(status, `HTTP ${status}`);
  return new SnsFault(status, code.replace(/Exception$/, ''), elementText(text, 'Message'));
}

/** Whatever was thrown, as a fault: an error of our own reads like an answer that did not come. */
export function toFault(error: unknown): SnsFault {
  return error instanceof SnsFault ? error : new SnsFault(0, 'UnexpectedError', String(error));
}

/** What a fault means for a push (Amazon SNS API, "Publish"; the states are those of `Outcome`). */
export function classify(fault: SnsFault): Exclude<Outcome['state'], 'sent'> {
  const { status, code } = fault;
  if (status === 0 || status === 408 || status === 429 || status >= 500 || /Throttl/.test(code))
    return 'retry';
  if (code === 'EndpointDisabled' || isMissingEndpoint(fault)) return 'gone';
  if (status === 401 || status === 403 || MISCONFIGURED.has(code)) return 'misconfigured';
  // A redirect, or a "not found" in nobody's name: the configured address is not SNS. No device may pay for that.
  if (status < 400 || code === 'HTTP 404') return 'misconfigured';
  return 'failed';
}

/** A deleted endpoint is NotFound, or on Publish an invalid parameter; an ARN that SNS cannot read names none either. */
export function isMissingEndpoint(error: unknown): boolean {
  const { code, message } = toFault(error);
  return (
    code === 'NotFound' ||
    (code === 'InvalidParameter' && /No endpoint found|EndpointArn Reason:/.test(message))
  );
}

/** The ARN of the endpoint that has the token already; SNS gives it only in the words of its refusal. */
export function quotedEndpoint(error: unknown): string | undefined {
  const { code, message } = toFault(error);
  if (code !== 'InvalidParameter') return undefined;
  return /Endpoint (arn:\S+) already exists with the same Token/.exec(message)?.[1];
}

/** SNS takes exception to the device's token, as in "Invalid parameter: Token Reason: ...". */
export function isRefusedToken(error: unknown): boolean {
  const { code, message } = toFault(error);
  return (
    /^(InvalidParameter|InvalidParameterValue|ValidationError)$/.test(code) && /\btoken\b/i.test(message)
  );
}

/**
 * At most 160 characters for logs and records: the code and SNS's reason, less what must not be told. SNS quotes ARNs
 * in its messages, and whole signed requests when a signature does not match.
 */
export function describeFault({ code, message }: SnsFault, token = ''): string {
  const reason = (token === '' ? message : message.replaceAll(token, '<token>'))
    .replace(/\barn:\S+/gi, '<arn>')
    .replace(/[\w+/=.:~%-]{20,}/g, (run) => (/\d/.test(run) ? '<redacted>' : run))
    .replace(/\s+/g, ' ')
    .trim();
  return (reason === '' ? code : `${code}: ${reason}`).slice(0, 160);
}
