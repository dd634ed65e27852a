/**
 * Every way a request can fail, in order of status. Codes are stable: clients may switch on them. The page of a
 * problem's `type` shows its `meaning`.
 */
export declare const catalogue: {
    readonly 'request.malformed-json': {
        readonly status: 400;
        readonly title: 'The body is not JSON';
        readonly meaning: 'The body could not be parsed as JSON in UTF-8. Nothing was changed.';
    };
    readonly 'request.invalid': {
        readonly status: 400;
        readonly title: 'The request is not valid';
        readonly meaning: 'A field is missing, unknown or out of range. `errors` names each by JSON pointer and says what was expected. Nothing was changed.';
    };
    readonly 'csv.too-wide': {
        readonly status: 400;
        readonly title: 'Too many columns for CSV';
        readonly meaning: 'The surveys of the study have more than 500 items together, and each would be a column. Ask for one survey at a time with `survey=`.';
    };
    readonly 'device.token-refused': {
        readonly status: 400;
        readonly title: 'The push relay refuses this token';
        readonly meaning: 'The relay says that the token is not one of this platform. Nothing was stored.';
    };
    readonly 'auth.token-missing': {
        readonly status: 401;
        readonly title: 'A token is needed';
        readonly meaning: 'Send `Authorization: Bearer <JWT>`.';
    };
    readonly 'auth.token-invalid': {
        readonly status: 401;
        readonly title: 'The token is not valid';
        readonly meaning: 'The token is malformed, wrongly signed, or of another issuer or audience.';
    };
    readonly 'auth.token-expired': {
        readonly status: 401;
        readonly title: 'The token has expired';
        readonly meaning: 'Ask the identity provider for a new token and try again.';
    };
    readonly 'auth.sign-in-stale': {
        readonly status: 401;
        readonly title: 'A fresh sign-in is needed';
        readonly meaning: 'A signature needs a token whose `auth_time` is at most 300 seconds old (RFC 9470). Let the person sign in again, with `max_age=300`, and repeat the request. Nothing was changed.';
    };
    readonly 'user.not-signed-up': {
        readonly status: 403;
        readonly title: 'Not signed up yet';
        readonly meaning: 'The token is valid, but its user is not signed up: `POST /user` first.';
    };
    readonly 'action.forbidden': {
        readonly status: 403;
        readonly title: 'You may not do this';
        readonly meaning: 'You may see this, but your role in the study does not allow the action.';
    };
    readonly 'relay-event.foreign': {
        readonly status: 403;
        readonly title: 'The message is from another topic';
        readonly meaning: 'Messages of the push relay are accepted from the configured topics only. Nothing was changed.';
    };
    readonly 'relay-event.forged': {
        readonly status: 403;
        readonly title: 'The message is not signed by the push relay';
        readonly meaning: 'The signature is missing, wrong, or not made with a certificate of the push relay. Nothing was changed.';
    };
    readonly 'relay-event.stale': {
        readonly status: 403;
        readonly title: 'The message is too old';
        readonly meaning: 'The push relay repeats a message for at most an hour, so an older one is a replay. Nothing was changed.';
    };
    readonly 'resource.not-found': {
        readonly status: 404;
        readonly title: 'Not found';
        readonly meaning: 'The resource does not exist, or you may not see it; the answer is the same for both.';
    };
    readonly 'audit.not-signed': {
        readonly status: 404;
        readonly title: 'Heads are not signed here';
        readonly meaning: 'The operator of this service has not set `AUDIT_SIGNING_KEY`, the key that signs heads of activity logs.';
    };
    readonly 'items.not-found': {
        readonly status: 404;
        readonly title: 'Some items were not found';
        readonly meaning: 'At least one identifier is unknown in this study or not visible to you. `errors` names each by JSON pointer. Nothing was changed.';
    };
    readonly 'request.method-not-allowed': {
        readonly status: 405;
        readonly title: 'The path takes other methods';
        readonly meaning: 'The path exists, but not with this method. `Allow` lists those that it takes. Nothing was changed.';
    };
    readonly 'item.archived': {
        readonly status: 409;
        readonly title: 'The item is archived';
        readonly meaning: 'An archived case or response cannot be changed, and an archived case or survey takes no new response. Bring it back from the archive first. Nothing was changed.';
    };
    readonly 'survey.closed': {
        readonly status: 409;
        readonly title: 'The time to answer is over';
        readonly meaning: 'The survey takes an answer only within `answerWithin` of its reminder, because `lateAnswers` is `refuse`. The time at which the answer was given counts. Nothing was changed.';
    };
    readonly 'study.archived': {
        readonly status: 409;
        readonly title: 'The study is archived';
        readonly meaning: 'Nothing new can be created in an archived study. Nothing was changed.';
    };
    readonly 'study.active': {
        readonly status: 409;
        readonly title: 'The study is not archived';
        readonly meaning: 'Only an archived study can be deleted: archive it first. Nothing was changed.';
    };
    readonly 'identifier.taken': {
        readonly status: 409;
        readonly title: 'The identifier is taken';
        readonly meaning: 'A resource with this identifier exists and has other content.';
    };
    readonly 'device.disabled': {
        readonly status: 409;
        readonly title: 'The device is disabled';
        readonly meaning: 'The push relay no longer reaches this device. Register the device again to enable it.';
    };
    readonly 'notification.expired': {
        readonly status: 409;
        readonly title: 'The reminder is not pushed again';
        readonly meaning: 'The reminder expires before the requested push, has not been pushed, or is over: a newer one has come, its survey was changed or archived, or the user has left. `detail` says which.';
    };
    readonly 'notification.answered': {
        readonly status: 409;
        readonly title: 'The survey is answered';
        readonly meaning: 'The user has answered the survey since the reminder was due, so no push is needed.';
    };
    readonly 'member.exists': {
        readonly status: 409;
        readonly title: 'Already a member with another role';
        readonly meaning: 'Use PATCH to change the role of a member.';
    };
    readonly 'invitation.exists': {
        readonly status: 409;
        readonly title: 'Already invited with another role';
        readonly meaning: 'Withdraw the invitation (`DELETE /investigation/:id/member/<e-mail>`) and invite again. Nothing was changed.';
    };
    readonly 'member.code-taken': {
        readonly status: 409;
        readonly title: 'The code is taken';
        readonly meaning: 'A code names one person of a study: another member, somebody who has left, or an open invitation has this one. Nothing was changed.';
    };
    readonly 'member.last-owner': {
        readonly status: 409;
        readonly title: 'The last owner stays';
        readonly meaning: 'A study keeps at least one owner: make somebody else an owner first.';
    };
    readonly 'request.in-progress': {
        readonly status: 409;
        readonly title: 'The same request is still running';
        readonly meaning: 'An earlier attempt of this request is still running. Try again shortly.';
    };
    readonly 'limit.reached': {
        readonly status: 409;
        readonly title: 'A limit is reached';
        readonly meaning: 'The request would exceed a limit of the service. `bound` names its setting. Nothing was changed.';
    };
    readonly 'revision.stale': {
        readonly status: 412;
        readonly title: 'The revision is stale';
        readonly meaning: 'The item changed since the revision named by `If-Match`. Read it again. Nothing was changed.';
    };
    readonly 'request.too-large': {
        readonly status: 413;
        readonly title: 'The body is too large';
        readonly meaning: 'A body has at most 1 MiB. Nothing was changed.';
    };
    readonly 'request.not-json': {
        readonly status: 415;
        readonly title: 'The body is not declared as JSON';
        readonly meaning: 'Send `Content-Type: application/json`.';
    };
    readonly 'item.locked': {
        readonly status: 423;
        readonly title: 'The item is locked';
        readonly meaning: 'A locked item cannot be modified until it is unlocked. `errors` lists the locked items. Nothing was changed.';
    };
    readonly 'study.frozen': {
        readonly status: 423;
        readonly title: 'The study is frozen';
        readonly meaning: 'While a study is frozen, its cases, responses, surveys and locks cannot be created or changed, until an owner ends the freeze. Nothing was changed.';
    };
    readonly 'rate.limited': {
        readonly status: 429;
        readonly title: 'Too many requests';
        readonly meaning: 'Wait `Retry-After` seconds.';
    };
    readonly 'client.closed': {
        readonly status: 499;
        readonly title: 'The client has closed the connection';
        readonly meaning: 'The client hung up before the answer, so nobody received this problem: it is only logged and counted. The request may have taken effect.';
    };
    readonly 'internal.error': {
        readonly status: 500;
        readonly title: 'Something went wrong on our side';
        readonly meaning: 'The fault is ours and was logged. The request may be tried again.';
    };
    readonly 'auth.keys-unavailable': {
        readonly status: 503;
        readonly title: 'The identity provider is unreachable';
        readonly meaning: 'The keys that would verify the token could not be fetched. Try again after `Retry-After` seconds.';
    };
    readonly 'user.changed': {
        readonly status: 503;
        readonly title: 'The user behind the token has just changed';
        readonly meaning: 'The user was deleted and signed up again a moment ago. Nothing was changed: repeat the request after `Retry-After` seconds.';
    };
    readonly 'database.overloaded': {
        readonly status: 503;
        readonly title: 'The database is overloaded';
        readonly meaning: 'The database has too much to do, or takes no writes. Nothing is half done. Try again after `Retry-After` seconds.';
    };
    readonly 'relay.unavailable': {
        readonly status: 503;
        readonly title: 'The push relay is unreachable';
        readonly meaning: 'Nothing was stored. Try again after `Retry-After` seconds.';
    };
};
export type ProblemCode = keyof typeof catalogue;
/** One fault of the input: a JSON pointer into the body, or a parameter of the query, and the expected value. */
export type Fault = {
    pointer: string;
    parameter?: never;
    detail: string;
} | {
    parameter: string;
    pointer?: never;
    detail: string;
};
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
export declare class Problem extends Error {
    readonly code: ProblemCode;
    readonly errors: Fault[] | undefined;
    readonly bound: string | undefined;
    readonly allow: string | undefined;
    readonly retryAfterSeconds: number | undefined;
    constructor(code: ProblemCode, detail: string, more?: More);
    get status(): 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 415 | 423 | 429 | 499 | 500 | 503;
}
/** The root cause, for the log: the driver's message without the statement and its parameters. */
export declare function rootMessage(error: unknown): string;
/** 404 with a message that does not reveal whether the resource exists. */
export declare const notFound: (what: string) => Problem;
/** The token is valid, but its user has not signed up or was deleted. */
export declare const notSignedUp: () => Problem;
export declare const forbidden: (detail: string) => Problem;
/** 400 for one field. */
export declare const invalid: (pointer: string, detail: string) => Problem;
/** 400 for one parameter of the query or of the header. */
export declare const invalidParameter: (parameter: string, detail: string) => Problem;
/** 409; `bound` is the setting. */
export declare const limitReached: (bound: string, detail: string) => Problem;
export {};
