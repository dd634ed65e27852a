import { DeadlineError } from '../../outgoing.ts';
import { isPassing } from '../../retry.ts';
import type { Outcome } from '../../services.ts';
import { elementText } from './xml.ts';

/** A call that SNS refused, or that got no readable answer (`status` 0) and so may have succeeded. */
export class SnsFault extends Error {
  /** HTTP status, or 0. */
  readonly status: number;
  /** SNS's error code without its suffix "Exception", or one of our own. */
  readonly code: string;

  constructor(status: number, code: string, message = '') {
    super(message);
    this.name = 'SnsFault';
    this.status = status;
    this.code = code;
  }
}

/** Refusals that affect every push; so does any other with status 401 or 403 (AWS, "Common errors"). */
const misconfiguredCodes = new Set([
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
  // An answer without a code is not from SNS but from a proxy, and its text is not worth keeping.
  if (code === undefined || !/^[\w.]{1,64}$/.test(code)) return new SnsFault(status, `HTTP ${status}`);
  return new SnsFault(status, code.replace(/Exception$/, ''), elementText(text, 'Message'));
}

/** Wraps any other error as a call without an answer. */
export function toFault(error: unknown): SnsFault {
  if (error instanceof DeadlineError) return new SnsFault(0, 'Timeout');
  return error instanceof SnsFault ? error : new SnsFault(0, 'UnexpectedError', String(error));
}

/** The outcome of a push that failed (Amazon SNS API, "Publish"). */
export function classify(fault: SnsFault): Exclude<Outcome['state'], 'sent'> {
  const { status, code } = fault;
  if (status === 0 || isPassing(status) || /Throttl/.test(code)) return 'retry';
  if (code === 'EndpointDisabled' || isMissingEndpoint(fault)) return 'gone';
  if (status === 401 || status === 403 || misconfiguredCodes.has(code)) return 'misconfigured';
  // A redirect, or a 404 without a code: the configured address is not SNS, which must not disable devices.
  if (status < 400 || code === 'HTTP 404') return 'misconfigured';
  return 'failed';
}

/** SNS reports a deleted endpoint as NotFound, or on Publish as an invalid parameter, like an ARN it cannot parse. */
export function isMissingEndpoint(error: unknown): boolean {
  const { code, message } = toFault(error);
  return (
    code === 'NotFound' ||
    (code === 'InvalidParameter' && /No endpoint found|EndpointArn Reason:/.test(message))
  );
}

/** The ARN of the endpoint that already has the token, which SNS gives only in its error message. */
export function quotedEndpoint(error: unknown): string | undefined {
  const { code, message } = toFault(error);
  if (code !== 'InvalidParameter') return undefined;
  return /Endpoint (arn:\S+) already exists with the same Token/.exec(message)?.[1];
}

/** Whether SNS objects to the device's token, as in "Invalid parameter: Token Reason: ...". */
export function isRefusedToken(error: unknown): boolean {
  const { code, message } = toFault(error);
  return (
    /^(InvalidParameter|InvalidParameterValue|ValidationError)$/.test(code) && /\btoken\b/i.test(message)
  );
}

/**
 * At most 160 characters for logs and records: the code and SNS's reason, without secrets. SNS quotes ARNs in its
 * messages, and whole signed requests when a signature does not match.
 */
export function describeFault({ code, message }: SnsFault, token = ''): string {
  const reason = (token === '' ? message : message.replaceAll(token, '<token>'))
    .replace(/\barn:\S+/gi, '<arn>')
    .replace(/[\w+/=.:~%-]{20,}/g, (run) => (/\d/.test(run) ? '<redacted>' : run))
    .replace(/\s+/g, ' ')
    .trim();
  return (reason === '' ? code : `${code}: ${reason}`).slice(0, 160);
}
