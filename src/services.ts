import type { Database, Spend } from './db/database.ts';

export type { Database, Spend };

/** Pages with a build of their own: the study console, and the participants' page. */
export type Page = 'console' | 'p';

/** The application's needs from its platform. Each runtime builds one of these in one place. */
export interface Services {
  db: Database;
  push: PushService;
  alarms: Alarms;
  /** Lets work continue after the answer to a request. The work handles its own errors. */
  defer: (work: () => Promise<void>) => void;
  /** Absent: no limits. */
  rateLimits?: RateLimits;
  /** Reads the page in a folder of `public`; null if it was not built. Absent: there are no pages. */
  page?: (folder: Page) => Promise<string | null>;
  /** Most pushes of one study to one user for one local date, nudges and snoozes included. */
  pushesPerDay: number;
  /** Absent: no webhook is accepted or called. */
  webhooks?: Webhooks;
  /** The clock: milliseconds since the Unix epoch. */
  now: () => number;
  /**
   * Whether the clock agrees with others. While it does not, nothing is settled. Absent: the platform keeps the clock
   * right.
   */
  clockAgrees?: () => boolean;
  /** Whether the work of each minute goes on. Absent: the platform begins it. */
  minuteIsAlive?: () => boolean;
  /** Whether the database accepts writes; only if it can tell without one. */
  canWrite?: () => boolean;
  /** Whether the database has refused the last record of this process, or isolate. */
  records: { refused: boolean };
  /** Plans what is due of some users elsewhere, with limits of its own. Absent: here. */
  planElsewhere?: (users: string[]) => Promise<void>;
  log: (entry: LogEntry) => void;
}

/** The way to the receivers of webhooks. */
export interface Webhooks {
  /** Why a URL may not be called; null if it may, as far as the platform can tell before it is called. */
  faultOf(url: string): Promise<string | null>;
  /** POSTs once, follows no redirect, and ends within ten seconds, whatever the receiver does. Never throws. */
  call(request: WebhookRequest): Promise<WebhookAnswer>;
  /** Calls the webhooks of the studies of a changed thing, after the answer to a request. Absent: the sweep calls them. */
  wake?: (changed: string) => void;
  /** Calls a webhook by itself: one that has not caught up, or for which a run has no call left. */
  goOn: (webhook: string) => Promise<void>;
  /** The process stops: no further call begins. */
  stops?: () => boolean;
  /** Runs the work of a webhook once fewer of its owner, and of all, are called. Absent: no work waits. */
  withSlot?: (webhook: { id: string; owner: string }, work: () => Promise<void>) => Promise<void>;
  /** Most calls of one run of `deliverWebhooks`. */
  maxCalls: number;
  /** Most calls that a run has under way at once. */
  maxConcurrent: number;
}

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** `status` is null if there was no answer; `error` then says why, without the URL. */
export type WebhookAnswer =
  /** `location`: the header of that name, where a redirect has one. */
  { status: number; location?: string } | { status: null; error: string };

/** Counts one more request of a caller. Never throws: a broken counter lets everyone pass. */
export interface RateLimits {
  user(key: string): Promise<Allowance>;
  address(key: string): Promise<Allowance>;
  /** For addresses that send wrong codes of participants. */
  code(key: string): Promise<Allowance>;
  /** For addresses from which people use right ones. */
  enrol(key: string): Promise<Allowance>;
  /**
   * Takes tokens from the bucket of a user, for computing beyond that of a plain request. Absent: the work of a user has
   * no limits, nor has the number of their requests under way.
   */
  charge?(key: string, tokens: number): void;
}

export type Allowance = { allowed: true } | { allowed: false; retryAfterSeconds: number };

/** One structured line. Never holds tokens, endpoint names, secrets or texts of users. */
export type LogEntry = { event: string; [field: string]: string | number | boolean | null | undefined };

/** The push relay: AWS SNS, and the push services of browsers. Its methods answer with an outcome and never throw. */
export interface PushService {
  /** Names of the configured platforms, such as `ios`, `android` and `web`. */
  readonly platforms: readonly string[];
  /** The public key with which browsers subscribe (P-256, base64url). Absent: `web` is not a platform. */
  webPushKey?: () => Promise<string>;
  /** The one form of a token that has several, or the expected value. Absent: tokens have one form. */
  canonicalToken?: (device: { platform: string; token: string }) => { token: string } | { expected: string };
  /** Whether a text fits the 4 KB of every push service. */
  fits(notification: { subject: string; body: string }): boolean;
  /** Gives the token an enabled endpoint at the relay; `endpoint` is the one known so far, which is healed. */
  register(device: { platform: string; token: string; endpoint?: string | null }): Promise<Registration>;
  /** Deletes an endpoint; deleting a missing one is fine. */
  remove(endpoint: string): Promise<Removal>;
  send(message: PushMessage): Promise<Outcome>;
  /** The push service of an endpoint, one of a few. Absent: each platform has one. */
  serviceOf?: (endpoint: string) => string | undefined;
  /** The relay's state of an endpoint that should carry this token. */
  check(device: { endpoint: string; token: string }): Promise<EndpointState>;
  /** Reads a message that claims to come from the relay, and confirms the subscription of a configured topic. */
  receive(body: string, now: number): Promise<RelayMessage>;
}

export interface PushMessage {
  endpoint: string;
  title: string;
  body: string;
  /** For the app's deep link: `survey`, `investigation`, `notification`. */
  data: Record<string, string>;
  /** Two pushes with the same identifier show as one on the phone. At most 64 bytes. */
  collapseId: string;
  ttlSeconds: number;
}

/**
 * `refused`: the relay says that this token is invalid. `unavailable`: try again later; the relay may have done it.
 * `misconfigured`: because the platform application or the credentials are at fault.
 */
export type Registration =
  | { state: 'registered'; endpoint: string }
  /** `expected`: the kind of token that would be taken. */
  | { state: 'refused'; error: string; expected?: string }
  | { state: 'unavailable'; error: string; misconfigured?: boolean };

export type Removal = { state: 'removed' } | { state: 'unavailable'; error: string };

/**
 * `sent`: the relay accepted it. `retry`: throttled, 5xx, timeout, network. `gone`: the endpoint is disabled or
 * missing. `misconfigured`: the platform application or the credentials are at fault, so the push waits.
 * `failed`: anything else. `error` is short and contains neither token nor endpoint name.
 */
export type Outcome =
  | { state: 'sent'; messageId: string }
  /** `retryAfterMs`: the delay that the push service asks for. */
  | { state: 'retry'; error: string; retryAfterMs?: number }
  | { state: 'gone' | 'misconfigured' | 'failed'; error: string };

/**
 * `reachable`: enabled, with this token. `other`: the endpoint carries another token, so its state says nothing about
 * this one.
 */
export type EndpointState =
  | { state: 'reachable' | 'disabled' | 'missing' | 'other' }
  | { state: 'unavailable'; error: string };

/**
 * `off`: no topic is configured. `refused`: not a message of the relay, or not one for us. `unavailable`: nothing was
 * done, the relay sends it again. `nothing`: genuine, and no work is left.
 */
export type RelayMessage =
  | { state: 'off' }
  | { state: 'nothing'; what: 'subscribed' | 'unsubscribed' | 'ignored' }
  | { state: 'refused'; why: 'malformed' | 'foreign' | 'forged' | 'stale'; detail: string }
  | { state: 'unavailable'; error: string }
  | { state: 'event'; event: RelayEvent };

/**
 * The fate of an endpoint after its push was accepted. `undeliverable`: the push service rejects the token. `changed`:
 * the endpoint was updated or deleted, by anyone; `check` tells its state.
 */
export interface RelayEvent {
  /** The same for each repetition of the message. */
  id: string;
  kind: 'undeliverable' | 'changed';
  endpoint: string;
  /** Epoch ms, by the relay's clock. */
  at: number;
}

/** One alarm per user. It only says when to read; the database is the truth. */
export interface Alarms {
  /** Reads the user's notifications at `at` (epoch ms) at the latest; an earlier alarm stays. */
  arm(user: string, at: number): Promise<void>;
  /** Delivers the user's due reminders now, one run at a time, and arms the next alarm. */
  deliver(user: string): Promise<void>;
}

/** Bounds on what may be stored. */
export interface Limits {
  /** Studies created by one user. */
  studies: number;
  /** Memberships of one user. */
  memberships: number;
  /** Of one study. */
  surveys: number;
  /** Of one study, pending invitations included. */
  members: number;
  /** Of one study. */
  cases: number;
  /** Revisions of one response. */
  revisions: number;
  /** Bytes that one study stores. */
  studyBytes: number;
  /** Bytes that one participant writes in one study on one day, by UTC. */
  personBytes: number;
  /** The same, of all participants of one study together. */
  participantsBytes: number;
  /** Entries of one study's activity log. */
  activities: number;
  /** Open invitations to one study. */
  invitations: number;
  /** Open invitations to one address, from one inviter. */
  invitationsFromOne: number;
  /** Codes for participants of one study, ended ones included. */
  enrolments: number;
  /** Items that one filter locks or unlocks. */
  matching: number;
  /** Pushes of one study to one user on one local date. */
  pushesPerDay: number;
}
