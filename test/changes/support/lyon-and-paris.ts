import { expect } from 'vitest';
import type { Person } from '../../support/people.ts';
import { newCase, newMember, newResponse, type Study } from '../../support/studies.ts';
import { later, setClock, startOfTests } from '../../support/worker/clock.ts';
import { bound, declare, regroup, site } from '../../support/worker/groups.ts';
import { sleepStudy, world } from '../../support/worker/world.ts';
import { type Copy, follow } from './copies.ts';

/**
 * A study with two sites. Bruno edits Lyon, Mona monitors it. Chidi takes part in Lyon, and Dana in Paris. Cases of both sites, and
 * answers of Dana for each.
 */
export async function lyonAndParis() {
  setClock(startOfTests);
  const study = await sleepStudy();
  const mona = await newMember(world, study, 'Mona', 'monitor');
  const { editor: bruno, responder: chidi, other: dana } = study;
  await declare(study, site);
  await regroup(study, chidi, { site: 'lyon' });
  await regroup(study, dana, { site: 'paris' });
  for (const one of [bruno, mona]) await bound(study, one, { site: ['lyon'] });
  later(1000);
  const [lyon, paris] = [await newCase(study, chidi), await newCase(study, dana)];
  const [inLyon, inParis] = [await newResponse(study, dana, lyon), await newResponse(study, dana, paris)];
  return { study, mona, bruno, chidi, dana, lyon, paris, inLyon, inParis };
}

/** Follows the feed to its end; pages of a part may be empty before. */
export async function followPart(copy: Copy, reader: Person, study: Study, limit = 500) {
  for (;;) {
    const before = copy.next;
    await follow(copy, reader, study.id, limit, 1);
    const { latest } = (await reader.get(`/investigation/${study.id}/changes?after=${copy.next}`)).body;
    if (copy.next === latest) return;
    expect(copy.next).toBeGreaterThan(before);
  }
}
