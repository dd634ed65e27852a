import type { Context as RequestContext } from 'hono';
import type { Context } from '../context.ts';
import type { TokenUser } from '../people/sign-ups.ts';
import type { Limits, Services, Spend } from '../services.ts';
import type { ParticipantTokens } from './auth/participant-tokens.ts';

/** The person that a token names, before the look-up of the user. */
export interface Identity extends TokenUser {
  /** When the person signed in, epoch seconds; null if the token does not say. */
  authTime: number | null;
}

/** The part of the service that a request of a caller takes up, until its answer has ended. */
export interface Work {
  spend: Spend;
  /** The answer is an export or a long list: a person has one at a time. @throws rate.limited */
  beLong(): void;
  /** The answer is a stream: `stop` ends it early. */
  beStream(stop: () => void): void;
  /** The client has read on. */
  goOn(): void;
  /** The answer has ended, or nobody reads it any more. Does nothing the second time. */
  end(): void;
}

/** Values that middleware sets for the routes. */
export interface Env {
  /** The connection, as far as the runtime's entry knows it. */
  Bindings: {
    /** The caller's IP address. */
    address?: string | undefined;
  };
  Variables: {
    services: Services;
    limits: Limits;
    /** Users whose plans this request has changed. */
    woken: Set<string>;
    requestId: string;
    /** The answer is streamed: its end is not awaited. */
    streamed: true | undefined;
    /** The body of the answer, for the middleware that hashes it. */
    bytes: Uint8Array<ArrayBuffer> | undefined;
    identity: Identity;
    /** Undefined where the work of callers has no limits. */
    work: Work | undefined;
    /** Only on the routes of participants. */
    participantTokens: ParticipantTokens;
    /** Forgets the cached user of this token, when the user signs up or is deleted. */
    forget: () => void;
    /** The identifier of the signed-up caller. */
    actor: string;
    /** The caller is a program. */
    isProgram: boolean;
    /** The study of the thing that the request reads, if its path does not name it. */
    study: string | undefined;
  };
}

/** The model's view of a request. Before sign-up there is no `actor`. */
export function contextOf(c: RequestContext<Env>): Context {
  const { db, push, webhooks, log, now } = c.get('services');
  return {
    db,
    push,
    webhooks,
    log,
    now: now(),
    actor: c.get('actor'),
    authTime: c.get('identity')?.authTime ?? null,
    limits: c.get('limits'),
    woken: c.get('woken'),
  };
}
