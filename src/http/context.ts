import type { Context as RequestContext } from 'hono';
import type { Context } from '../context.ts';
import type { Database, Limits, ReplanJob, Services } from '../services.ts';

/** The person that a token names, before the look-up of the user. */
export interface Identity {
  issuer: string;
  subject: string;
  /** Only from a verified claim, in its normal form. */
  email: string | null;
  /** When the token was issued (epoch ms); now when it does not say. */
  provedAt: number;
  /** When the person signed in, epoch seconds; null when the token does not say. */
  authTime: number | null;
}

/** What the middleware leaves for the routes. */
export interface Env {
  /** What a runtime's entry knows about the connection. */
  Bindings: {
    /** The caller's IP address. */
    address?: string | undefined;
  };
  Variables: {
    services: Services;
    limits: Limits;
    /** The database that is never behind, where reads go to a replica. */
    primary: Database | undefined;
    /** Outbox rows that this request has written. */
    outbox: ReplanJob[];
    requestId: string;
    /** The answer is streamed: it has no end to wait for. */
    streamed: true | undefined;
    /** The body of the answer, for the middleware that hashes it. */
    bytes: Uint8Array<ArrayBuffer> | undefined;
    identity: Identity;
    /** Forgets the cached user of this token, who signs up or is deleted. */
    forget: () => void;
    /** The identifier of the signed-up caller. */
    actor: string;
  };
}

/** What the model needs of a request. Before sign-up there is no `actor`. */
export function contextOf(c: RequestContext<Env>): Context {
  const { db, push, log, now } = c.get('services');
  return {
    db,
    push,
    log,
    now: now(),
    actor: c.get('actor'),
    authTime: c.get('identity')?.authTime ?? null,
    limits: c.get('limits'),
    outbox: c.get('outbox'),
  };
}
