import { expect } from 'vitest';
import type { Person } from '../../support/people.ts';
import type { Study } from '../../support/studies.ts';
import type { Written } from './acts.ts';

type Body = Record<string, unknown>;

/** The things of a study by kind and identifier, as somebody who reads the feed keeps them. */
export interface Copy {
  next: number;
  things: Map<string, Body>;
  /** The sequences that were read, in order. */
  read: number[];
}

export const newCopy = (): Copy => ({ next: 0, things: new Map(), read: [] });

/** Reads the feed to its end in pages of `limit`, or as many `pages`. */
export async function follow(
  copy: Copy,
  reader: Person,
  study: string,
  limit = 500,
  pages = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (let read = 0; read < pages; read++) {
    const path = `/investigation/${study}/changes?include=body&after=${copy.next}&limit=${limit}`;
    const { status, text, body } = await reader.get(path);
    expect(status, text).toBe(200);
    for (const { sequence, kind, identifier, state, body: thing } of body.changes) {
      copy.read.push(sequence);
      const key = `${kind} ${identifier}`;
      if (state === 'deleted' || state === 'removed') {
        expect(thing, key).toBe(null);
        copy.things.delete(key);
      } else copy.things.set(key, thing);
    }
    copy.next = body.next;
    if (body.next === body.latest) return;
    expect(body.changes.length).toBeGreaterThan(0);
  }
}

/** The same things as the lists of the API answer them. */
export async function listed(reader: Person, { id }: Pick<Study, 'id'>): Promise<Map<string, Body>> {
  const things = new Map<string, Body>();
  const add = (kind: string, list: Body[]) => {
    for (const thing of list) things.set(`${kind} ${thing.identifier}`, thing);
  };
  const read = async (path: string) => {
    const { status, text, body } = await reader.get(path);
    expect(status, text).toBe(200);
    return body;
  };
  add(
    'study',
    (await read('/investigation')).investigations.filter((study: Body) => study.identifier === id),
  );
  add('case', (await read(`/investigation/${id}/cases?status=all`)).cases);
  add('response', (await read(`/investigation/${id}/responses?status=all`)).responses);
  add('survey', (await read(`/investigation/${id}/surveys`)).surveys);
  add('member', (await read(`/investigation/${id}/members`)).members);
  return things;
}

export const sorted = (things: Map<string, Body>) =>
  Object.fromEntries([...things].sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * At a moment at which nobody writes: a copy that somebody else has kept for long, and one that begins now, equal the lists,
 * and no change came twice.
 */
export async function compare({ study, random }: Written, kept: Copy, moment: string): Promise<void> {
  const late = newCopy();
  await follow(late, study.owner, study.id, 1000);
  await follow(kept, study.owner, study.id, 5 + random.int(40));
  const lists = sorted(await listed(study.owner, study));
  expect(sorted(late.things), moment).toEqual(lists);
  expect(sorted(kept.things), moment).toEqual(lists);
  expect(kept.read, moment).toEqual([...new Set(kept.read)].sort((a, b) => a - b));
}
