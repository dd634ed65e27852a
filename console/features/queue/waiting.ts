import { useAnswer } from '../../answers.ts';
import { api, read } from '../../api.ts';
import { type Part, usePart } from '../../components/property-filter.tsx';
import type { Grouped } from '../../groups.ts';
import { type AskPage, type RequestOptions, readPage } from '../../list-pages.ts';
import { useStored } from '../../stored.ts';
import { useStudy } from '../../study-context.ts';
import { readFailed } from '../participants/failed-participants.ts';
import {
  type Attention,
  compliance,
  type Page,
  type Participant,
} from '../participants/participant-counts.ts';

export type Cause = Attention | 'failed' | 'invitation';

/** Somebody who needs attention, with everything that is known about why. */
export interface Waiting extends Grouped {
  /** The user, or the address of an invitation. */
  id: string;
  name: string;
  code?: string | undefined;
  address?: string | undefined;
  causes: Cause[];
  pausedUntil?: string | null | undefined;
}

/** In the order of their urgency. */
const causes = ['unreachable', 'date-missing', 'failed', 'silent', 'never-downloaded', 'paused'] as const;
/** Of each cause; others follow when these are done. */
const limit = '100';

async function readWaiting(
  id: string,
  { isOwner, part }: { isOwner: boolean; part: Part },
  options: RequestOptions,
) {
  const { filter } = part;
  const readCause =
    (cause: Attention): AskPage<Page> =>
    (cursor, options) =>
      compliance.$get({ param: { id }, query: { attention: cause, limit, cursor, ...filter } }, options);
  const [members, ...pages] = await Promise.all([
    isOwner
      ? read(api.investigation[':id'].members.$get({ param: { id }, query: { limit, ...filter } }, options))
      : undefined,
    ...causes.map(async (cause) => ({
      cause,
      page:
        cause === 'failed'
          ? await (await readFailed(id, filter, options)).json()
          : await readPage(readCause(cause), {
              limit: part.fills(Number(limit)),
              signal: options.init.signal,
            }),
    })),
  ]);
  const people = new Map<string, Waiting>();
  for (const { cause, page } of pages)
    for (const person of page.participants)
      people.set(person.user, withCause(people.get(person.user), person, cause));
  const invited = (members?.invitations ?? []).map(({ email, code, ...invitation }) => ({
    ...groupOf(invitation),
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

const groupOf = ({ properties }: Grouped) => (properties ? { properties } : {});

const withCause = (known: Waiting | undefined, person: Participant, cause: Cause): Waiting => ({
  id: person.user,
  name: person.name,
  code: person.code,
  address: person.invitedAs,
  ...groupOf(person),
  pausedUntil: person.pausedUntil,
  causes: [...(known?.causes ?? []), cause],
});

const weekMs = 7 * 86_400_000;
/** A cause that comes afterwards brings the person back. */
const nameOf = ({ id, causes }: Waiting) => `${id} ${[...causes].sort().join()}`;

/** The people who wait, and those whom this person has done, in this browser, for a week. */
export function useWaiting() {
  const { id, can } = useStudy();
  const isOwner = can('own');
  const part = usePart();
  const answer = useAnswer(['waiting', id, part.filter], async (options) => ({
    json: () => readWaiting(id, { isOwner, part }, options),
  }));
  const [marks, keep] = useStored<Record<string, number>>(`done.${id}`, {});
  const done = Object.fromEntries(Object.entries(marks).filter(([, at]) => at > Date.now() - weekMs));
  const all = answer.data?.all ?? [];
  return {
    ...answer,
    waiting: all.filter((person) => done[nameOf(person)] === undefined),
    aside: all.filter((person) => done[nameOf(person)] !== undefined).length,
    finish: (person: Waiting) => keep((now) => ({ ...now, [nameOf(person)]: Date.now() })),
    bringBack: (person?: Waiting) =>
      keep(({ [person ? nameOf(person) : '']: _, ...others }) => (person ? others : {})),
  };
}
