/**
 * Every way a request can fail, in order of status. Codes are stable: clients may switch on them. The page of a
 * problem's `type` shows its `meaning`.
 */
export const catalogue = {
  'request.malformed-json': {
    status: 400,
    title: 'The body is not JSON',
    meaning: 'The body could not be parsed as JSON in UTF-8. Nothing was changed.',
  },
  'request.invalid': {
    status: 400,
    title: 'The request is not valid',
    meaning:
      'A field is missing, unknown or out of range. `errors` names each by JSON pointer and says what was expected. Nothing was changed.',
  },
  'csv.too-wide': {
    status: 400,
    title: 'Too many columns for CSV',
    meaning:
      'The surveys of the study have more than 500 items together, and each would be a column. Ask for one survey at a time with `survey=`. With `choices=columns` a survey may have had 5,000 values.',
  },
  'device.token-refused': {
    status: 400,
    title: 'The push relay refuses this token',
    meaning: 'The relay says that the token is not one of this platform. Nothing was stored.',
  },
  'auth.token-missing': {
    status: 401,
    title: 'A token is needed',
    meaning: 'Send `Authorization: Bearer <JWT>`.',
  },
  'auth.token-invalid': {
    status: 401,
    title: 'The token is not valid',
    meaning: 'The token is malformed, wrongly signed, or of another issuer or audience.',
  },
  'auth.token-expired': {
    status: 401,
    title: 'The token has expired',
    meaning: 'Ask the identity provider for a new token and try again.',
  },
  'auth.sign-in-stale': {
    status: 401,
    title: 'A fresh sign-in is needed',
    meaning:
      'A signature, and a token for a program, need a sign-in whose `auth_time` is at most 300 seconds ago (RFC 9470). Let the person sign in again, with `max_age=300`, and repeat the request. Nothing was changed.',
  },
  'user.not-signed-up': {
    status: 403,
    title: 'Not signed up yet',
    meaning: 'The token is valid, but its user is not signed up: `POST /user` first.',
  },
  'action.forbidden': {
    status: 403,
    title: 'You may not do this',
    meaning: 'You may see this, but your role in the study does not allow the action.',
  },
  'relay-event.foreign': {
    status: 403,
    title: 'The message is from another topic',
    meaning: 'Messages of the push relay are accepted from the configured topics only. Nothing was changed.',
  },
  'relay-event.forged': {
    status: 403,
    title: 'The message is not signed by the push relay',
    meaning:
      'The signature is missing, wrong, or not made with a certificate of the push relay. Nothing was changed.',
  },
  'relay-event.stale': {
    status: 403,
    title: 'The message is too old',
    meaning:
      'The push relay repeats a message for at most an hour, so an older one is a replay. Nothing was changed.',
  },
  'resource.not-found': {
    status: 404,
    title: 'Not found',
    meaning: 'The resource does not exist, or you may not see it; the answer is the same for both.',
  },
  'audit.not-signed': {
    status: 404,
    title: 'Heads are not signed here',
    meaning:
      'The operator of this service has not set `AUDIT_SIGNING_KEY`, the key that signs heads of activity logs.',
  },
  'items.not-found': {
    status: 404,
    title: 'Some items were not found',
    meaning:
      'At least one identifier is unknown in this study or not visible to you. `errors` names each by JSON pointer. Nothing was changed.',
  },
  'request.method-not-allowed': {
    status: 405,
    title: 'The path takes other methods',
    meaning:
      'The path exists, but not with this method. `Allow` lists those that it takes. Nothing was changed.',
  },
  'item.archived': {
    status: 409,
    title: 'The item is archived',
    meaning:
      'An archived case or response cannot be changed, and an archived case or survey takes no new response. Bring it back from the archive first. Nothing was changed.',
  },
  'survey.closed': {
    status: 409,
    title: 'The time to answer is over',
    meaning:
      'The survey takes an answer only within `answerWithin` of its reminder, because `lateAnswers` is `refuse`. The time at which the answer was given counts. Nothing was changed.',
  },
  'study.archived': {
    status: 409,
    title: 'The study is archived',
    meaning: 'Nothing new can be created in an archived study. Nothing was changed.',
  },
  'information.changed': {
    status: 409,
    title: 'The information of the study has changed',
    meaning:
      'The text that the person has read is no longer the one of the study. Read it again with `POST /enrol/about`, show it, and repeat the request with its hash. The code was not used.',
  },
  'study.active': {
    status: 409,
    title: 'The study is not archived',
    meaning: 'Only an archived study can be deleted: archive it first. Nothing was changed.',
  },
  'identifier.taken': {
    status: 409,
    title: 'The identifier is taken',
    meaning: 'A resource with this identifier exists and has other content.',
  },
  'device.disabled': {
    status: 409,
    title: 'The device is disabled',
    meaning: 'The push relay no longer reaches this device. Register the device again to enable it.',
  },
  'device.push-refused': {
    status: 409,
    title: 'The push service refuses a push to this device',
    meaning:
      'The push service of the device answered, but did not take the push: `detail` has its answer. Register the device again; if that does not help, tell the operator. Nothing was changed.',
  },
  'notification.expired': {
    status: 409,
    title: 'The reminder is not pushed again',
    meaning:
      'The reminder expires before the requested push, has not been pushed, or is over: a newer one has come, its survey was changed or archived, or the user has left. `detail` says which.',
  },
  'notification.answered': {
    status: 409,
    title: 'The survey is answered',
    meaning: 'The user has answered the survey since the reminder was due, so no push is needed.',
  },
  'member.exists': {
    status: 409,
    title: 'Already a member with another role',
    meaning: 'Use PATCH to change the role of a member.',
  },
  'invitation.exists': {
    status: 409,
    title: 'Already invited with another role',
    meaning:
      'Withdraw the invitation (`DELETE /investigation/:id/member/<e-mail>`) and invite again. Nothing was changed.',
  },
  'date.in-use': {
    status: 409,
    title: 'Reminders count from this date',
    meaning:
      'A study cannot give up the name of a date from which the reminders of a survey count: change the reminders first. Nothing was changed.',
  },
  'property.in-use': {
    status: 409,
    title: 'The property is in use',
    meaning:
      'A study cannot give up a property, or a value of it, that members, cases, open codes and invitations, scopes, surveys, frozen groups or the lock policy name, nor blind one that scopes, frozen groups or the lock policy name: change those first. Nothing was changed.',
  },
  'member.code-taken': {
    status: 409,
    title: 'The code is taken',
    meaning:
      'A code names one person of a study: another member, somebody who has left, or an open invitation has this one. Nothing was changed.',
  },
  'member.last-owner': {
    status: 409,
    title: 'The last owner stays',
    meaning: 'A study keeps at least one owner: make somebody else an owner first.',
  },
  'member.elsewhere': {
    status: 409,
    title: 'The participant belongs to another study, too',
    meaning:
      'A code for a new phone gives a token of the participant, who belongs to another study as well, or has answers or cases in one: the token would open that study, too. Nothing was changed.',
  },
  'request.in-progress': {
    status: 409,
    title: 'The same request is still running',
    meaning: 'An earlier attempt of this request is still running. Try again shortly.',
  },
  'limit.reached': {
    status: 409,
    title: 'A limit is reached',
    meaning:
      'The request would exceed a limit of the service. `bound` names its setting. Nothing was changed.',
  },
  'revision.stale': {
    status: 412,
    title: 'The revision is stale',
    meaning: 'The item changed since the revision named by `If-Match`. Read it again. Nothing was changed.',
  },
  'request.too-large': {
    status: 413,
    title: 'The body is too large',
    meaning:
      'A body has at most 1 MiB, and a few KiB where no token is needed; `detail` says how many. Nothing was changed.',
  },
  'request.not-json': {
    status: 415,
    title: 'The body is not declared as JSON',
    meaning: 'Send `Content-Type: application/json`.',
  },
  'item.locked': {
    status: 423,
    title: 'The item is locked',
    meaning:
      'A locked item cannot be modified until it is unlocked. `errors` lists the locked items. Nothing was changed.',
  },
  'study.frozen': {
    status: 423,
    title: 'The study is frozen',
    meaning:
      'While a study is frozen, its cases, responses, surveys and locks cannot be created or changed, until an owner ends the freeze. Nothing was changed.',
  },
  'rate.limited': {
    status: 429,
    title: 'Too many requests',
    meaning:
      'Too many of your requests came at once, or are under way, or they took too much computing: a person has one export or long list at a time. Wait `Retry-After` seconds.',
  },
  'client.closed': {
    status: 499,
    title: 'The client has closed the connection',
    meaning:
      'The client hung up before the answer, so nobody received this problem: it is only logged and counted. The request may have taken effect.',
  },
  'internal.error': {
    status: 500,
    title: 'Something went wrong on our side',
    meaning: 'The fault is ours and was logged. The request may be tried again.',
  },
  'auth.keys-unavailable': {
    status: 503,
    title: 'The identity provider is unreachable',
    meaning:
      'The keys that would verify the token could not be fetched. Try again after `Retry-After` seconds.',
  },
  'user.changed': {
    status: 503,
    title: 'The user behind the token has just changed',
    meaning:
      'The user was deleted and signed up again a moment ago. Nothing was changed: repeat the request after `Retry-After` seconds.',
  },
  'database.overloaded': {
    status: 503,
    title: 'The database is overloaded',
    meaning:
      'The database has too much to do, or takes no writes. Nothing is half done. Try again after `Retry-After` seconds.',
  },
  'relay.unavailable': {
    status: 503,
    title: 'The push relay is unreachable',
    meaning: 'Nothing was stored. Try again after `Retry-After` seconds.',
  },
} as const;

export type ProblemCode = keyof typeof catalogue;

/** One fault of the input: a JSON pointer into the body, or a parameter of the query, and the expected value. */
export type Fault =
  | { pointer: string; parameter?: never; detail: string }
  | { parameter: string; pointer?: never; detail: string };

interface More {
  errors?: Fault[];
  /** The setting that a limit comes from. */
  bound?: string;
  /** The methods that the path takes. */
  allow?: string;
  retryAfterSeconds?: number;
  /** For the log. */
  cause?: unknown;
}

/** The one error class. `http/problems` maps it to `application/problem+json` (RFC 9457). */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly errors: Fault[] | undefined;
  readonly bound: string | undefined;
  readonly allow: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ProblemCode, detail: string, more: More = {}) {
    super(detail, { cause: more.cause });
    this.name = 'Problem';
    this.code = code;
    this.errors = more.errors;
    this.bound = more.bound;
    this.allow = more.allow;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }

  get status() {
    return catalogue[this.code].status;
  }
}

/** The root cause, for the log: the driver's message without the statement and its parameters. */
export function rootMessage(error: unknown): string {
  let innermost = error;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  return (innermost instanceof Error ? `${innermost.name}: ${innermost.message}` : String(innermost)).slice(
    0,
    300,
  );
}

/** 404 with a message that does not reveal whether the resource exists. */
export const notFound = (what: string) =>
  new Problem('resource.not-found', `There is no such ${what}, or you may not see it.`);

/** The token is valid, but its user has not signed up or was deleted. */
export const notSignedUp = () => new Problem('user.not-signed-up', 'Sign up first: POST /user.');

export const forbidden = (detail: string) => new Problem('action.forbidden', detail);

/** 400 for one field. */
export const invalid = (pointer: string, detail: string) =>
  new Problem('request.invalid', detail, { errors: [{ pointer, detail }] });

/** 400 for one parameter of the query or of the header. */
export const invalidParameter = (parameter: string, detail: string) =>
  new Problem('request.invalid', detail, { errors: [{ parameter, detail }] });

/** 409; `bound` is the setting. */
export const limitReached = (bound: string, detail: string) =>
  new Problem('limit.reached', detail, { bound });
