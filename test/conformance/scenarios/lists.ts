import { linkedPages } from '../../support/lists.ts';
import type { Person } from '../../support/people.ts';
import { newCase, newResponse, newStudy } from '../../support/studies.ts';
import type { ServiceWorld } from '../support/worlds.ts';

const cases = 12;

/** The two lists whole, by pages, filtered, and as CSV. */
export async function lists(world: ServiceWorld): Promise<void> {
  const study = await newStudy(world, { of: 'lists' });
  const { owner, editor, responder } = study;
  for (let n = 0; n < cases; n++) {
    const night = await newCase(study, n % 3 === 0 ? editor : responder, labels[n % labels.length]);
    await newResponse(study, n % 2 === 0 ? responder : editor, night, { q1: `${n}`, q2: '=1+1' });
  }
  for (const list of ['cases', 'responses']) {
    const path = `/investigation/${study.id}/${list}`;
    for (const person of [owner, responder]) {
      await person.get(path);
      await person.get(path, { accept: 'text/csv' });
      await walk(person, `${path}?limit=5`);
    }
    for (const query of [
      'limit=0',
      'limit=1001',
      'cursor=x',
      'status=open',
      'since=yesterday',
      'colour=blue',
    ])
      await owner.get(`${path}?${query}`);
    await owner.get(`${path}?since=4000000000`);
    await owner.get(`${path}?limit=2`, { accept: 'text/csv' });
  }
  await owner.get(`/investigation/${study.id}/responses?responder=${responder.id}&survey=${study.survey}`);
  await manyTwice(owner, study.id);
}

const labels = ['Night', '=HYPERLINK("x")', 'a "quoted", label', 'Nächte 🌙', '-1\nand more', '@home'];

/** Follows `Link` until there is no next page. */
async function walk(person: Person, path: string) {
  for await (const _ of linkedPages(person, path));
}

/** A creation that is repeated, and one that takes another's identifier. */
async function manyTwice(owner: Person, study: string) {
  const identifier = 'c'.repeat(32);
  await owner.post(`/investigation/${study}/case`, { label: 'Mine', identifier });
  await owner.post(`/investigation/${study}/case`, { label: 'Mine', identifier });
  await owner.post(`/investigation/${study}/case`, { label: 'Yours', identifier });
}
