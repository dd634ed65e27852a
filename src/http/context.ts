import type { Limits } from '../config.ts';
import type { Database, Services } from '../services.ts';

/** Whom a token names, before the look-up of the user. */
export interface Identity {
  issuer: string;
  subject: string;
  /** Only from a verified claim; lower case. */
  email: string | null;
}

/** What the middleware leaves for the routes. */
export interface Env {
  /** What a runtime's entry tells of the connection. */
  Bindings: {
    /** The caller's IP address. */
    address?: string | undefined;
  };
  Variables: {
    services: Services;
    limits: Limits;
    /** The database that is never behind, where reads go to a replica. */
    primary: Database | undefined;
    requestId: string;
    /** The answer is sent while it is read. */
    streamed: true | undefined;
    /** The body of the answer, for who needs it again. */
    bytes: Uint8Array<ArrayBuffer> | undefined;
    identity: Identity;
    /** Lets go of whom the token is known to name: they sign up, or delete themselves. */
    forget: () => void;
    /** The identifier of the signed-up caller. */
    actor: string;
  };
}
