import { useState } from 'preact/hooks';
import { useAnswer } from '../../answers.ts';
import { api, read } from '../../api.ts';
import { useStudy } from '../../study-context.ts';
import { useUser } from '../../user.tsx';
import { readFailed } from '../participants/failed-participants.ts';
import { type Attention, compliance, type Participant } from '../participants/participant-counts.ts';

export type Cause = Attention | 'failed' | 'invitation';

/** Somebody who needs attention, with everything that is known about why. */
export interface Waiting {
  /** The user, or the address of an invitation. */
  id: string;
  name: string;
  code?: string | undefined;
  address?: string | undefined;
  causes: Cause[];
  pausedUntil?: string | null | undefined;
}

/** In the order of their urgency. */
const causes = ['unreachable', 'failed', 'silent', 'never-downloaded', 'paused'] as const;
/** Of each cause; others follow when these are done. */
const limit = '100';

async function readWaiting(id: string, isOwner: boolean, signal: AbortSignal) {
  const init = { init: { signal } };
  const [members, ...pages] = await Promise.all([
    isOwner
      ? read(api.investigation[':id'].members.$get({ param: { id }, query: { limit } }, init))
      : undefined,
    ...causes.map(async (cause) => ({
      cause,
      page:
        cause === 'failed'
          ? await (await readFailed(id, {}, signal)).json()
          : await read(compliance.$get({ param: { id }, query: { attention: cause, limit } }, init)),
    })),
  ]);
  const people = new Map<string, Waiting>();
  for (const { cause, page } of pages)
    for (const one of page.participants) people.set(one.user, withCause(people.get(one.user), one, cause));
  const invited = (members?.invitations ?? []).map(({ email, code }) => ({
    id: email,
    name: email,
    code,
    address: email,
    causes: ['invitation' as const],
  }));
  return {
    all: [...people.values(), ...invited],
    more: pages.some(({ page }) => page.next !== undefined) || members?.next !== undefined,
  };
}

const withCause = (known: Waiting | undefined, one: Participant, cause: Cause): Waiting => ({
  id: one.user,
  name: one.name,
  code: one.code,
  address: one.invitedAs,
  pausedUntil: one.pausedUntil,
  causes: [...(known?.causes ?? []), cause],
});

const weekMs = 7 * 86_400_000;
/** A cause that comes afterwards brings the person back. */
const nameOf = ({ id, causes }: Waiting) => `${id} ${[...causes].sort().join()}`;

/** The people who wait, and those whom this person has done, in this browser, for a week. */
export function useWaiting() {
  const { study } = useStudy();
  const me = useUser().identifier;
  const id = study.identifier;
  const isOwner = study.role === 'owner';
  const answer = useAnswer(['waiting', id], async (signal) => ({
    json: () => readWaiting(id, isOwner, signal),
  }));
  const storageKey = `fieldbell.done.${me}.${id}`;
  const [done, setDone] = useState(() => storedDone(storageKey));
  const keep = (next: Record<string, number>) => {
    localStorage.setItem(storageKey, JSON.stringify(next));
    setDone(next);
  };
  const all = answer.data?.all ?? [];
  return {
    ...answer,
    waiting: all.filter((one) => done[nameOf(one)] === undefined),
    aside: all.filter((one) => done[nameOf(one)] !== undefined).length,
    finish: (one: Waiting) => keep({ ...storedDone(storageKey), [nameOf(one)]: Date.now() }),
    bringBack: (one?: Waiting) => {
      const { [one ? nameOf(one) : '']: _, ...others } = storedDone(storageKey);
      keep(one ? others : {});
    },
  };
}

function storedDone(key: string): Record<string, number> {
  try {
    const all = JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, number>;
    return Object.fromEntries(Object.entries(all).filter(([, at]) => at > Date.now() - weekMs));
  } catch {
    return {};
  }
}
