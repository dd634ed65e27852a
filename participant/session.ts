import { keep, readKept } from './store.ts';

/** The participant of this phone. The token is a secret, so it never goes into an address or a cookie. */
export interface Session {
  token: string;
  /** When the token was given, in epoch ms. */
  since: number;
  user: string;
  study: { identifier: string; name: string };
  /** The service refuses the token: somebody has to give this phone another one. */
  ended?: true;
}

export const readSession = () => readKept<Session>('session');

export const keepSession = (session: Session) => keep('session', session);

/** A token is good for 400 days, and is exchanged long before. */
export const renewAfterMs = 30 * 24 * 3600 * 1000;

export const isOld = ({ since, ended }: Session, now = Date.now()) => !ended && now - since > renewAfterMs;
