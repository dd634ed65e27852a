import { useEffect, useState } from 'preact/hooks';
import type { Settings } from './service-config.ts';

/*
 * The signed-in person: a token, in the memory of this tab and in its session storage, so that a reload keeps it. The
 * token never goes into an address or a cookie, and into another tab only if the same person's sign-in has ended there.
 */

export interface Session {
  token: string;
  /** Epoch ms; null if the token has no expiry. */
  expiresAt: number | null;
}

const storageKey = 'fieldbell.token';
const linkPattern = /^#token=([\w.-]+)$/;

let session: Session | null = stored();
let linked: string | null = null;
/** The service refused the token: the screen stays as it is, behind the dialog that asks to sign in again. */
let ended = false;
/** Another person has signed in beside this page. */
let other = false;
const watchers = new Set<() => void>();

const tabs = new BroadcastChannel('fieldbell.session');
tabs.onmessage = ({ data }: MessageEvent<{ token: string }>) => {
  if (!ended || session === null) return;
  if (personOf(data.token) === personOf(session.token)) return take(data.token);
  other = true;
  notify();
};

/** A link of local mode brings a token in its fragment, which is removed at once. */
export function takeTokenFromLink(): void {
  const [, token = null] = linkPattern.exec(location.hash) ?? [];
  if (token === null) return;
  history.replaceState(null, '', location.pathname + location.search);
  linked = token;
}

/** Signs in with the token of a link, in local mode only: anybody can make a link. */
export function acceptLinkedToken({ local }: Settings): void {
  if (local && linked !== null) signInWith(linked);
  linked = null;
}

export function signInWith(token: string): void {
  take(token);
  tabs.postMessage({ token });
}

function take(token: string) {
  sessionStorage.setItem(storageKey, token);
  session = { token, expiresAt: expiryOf(token) };
  ended = false;
  other = false;
  notify();
}

export function signOut(): void {
  sessionStorage.clear();
  session = null;
  ended = false;
  notify();
}

/** The service no longer accepts the token. */
export function endSession(): void {
  ended = true;
  notify();
}

export const currentToken = (): string => session?.token ?? '';

/** The time of the sign-in, in epoch ms; 0 if the token has none. */
export function signedInAt(): number {
  const { auth_time } = claimsOf(currentToken());
  return typeof auth_time === 'number' ? auth_time * 1000 : 0;
}

/** The session, updated with each change. */
export function useSession(): { session: Session | null; ended: boolean; other: boolean } {
  const [, show] = useState(0);
  useEffect(() => watch(() => show((n) => n + 1)), []);
  return { session, ended, other };
}

/** Calls back when the person is signed in again, until the returned function is called. */
export function onSignedInAgain(act: () => void): () => void {
  let was = ended;
  return watch(() => {
    const isAgain = was && !ended && session !== null;
    was = ended;
    if (isAgain) act();
  });
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
  };
}

function notify() {
  for (const watcher of watchers) watcher();
}

function stored(): Session | null {
  const token = sessionStorage.getItem(storageKey);
  if (token === null) return null;
  const expiresAt = expiryOf(token);
  return expiresAt !== null && expiresAt <= Date.now() ? null : { token, expiresAt };
}

function expiryOf(token: string): number | null {
  const { exp } = claimsOf(token);
  return typeof exp === 'number' ? exp * 1000 : null;
}

const personOf = (token: string): string => {
  const { iss, sub } = claimsOf(token);
  return JSON.stringify([iss, sub]);
};

/** The claims of a JWT, unverified: only the service verifies tokens. Empty for other texts. */
export function claimsOf(token: string): Record<string, unknown> {
  try {
    const [, payload = ''] = token.split('.');
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (c) =>
      c.charCodeAt(0),
    );
    return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
