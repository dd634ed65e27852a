import type { Person } from '../../support/people.ts';
import { newCase, newResponse, newStudy, type Study } from '../../support/studies.ts';
import type { Console, Visit } from './console.ts';

/** Of the log of a study, the newest first. */
export const entriesOf = async (person: Person, { id }: Study) =>
  (await person.get(`/investigation/${id}/activity`)).body.activities;

export const row = (page: Visit, name: string) => page.getByRole('row').filter({ hasText: name });

let studies = 0;

/** Three nights, each with an answer of Chidi's, open on the screen of data as somebody sees it. */
export async function nights({ world }: Pick<Console, 'world'>) {
  const study = await newStudy(world, { of: `${++studies}` });
  const cases: string[] = [];
  const responses: string[] = [];
  for (const label of ['Night 1', 'Night 2', 'Night 3']) {
    const night = await newCase(study, study.editor, label);
    cases.push(night);
    responses.push(await newResponse(study, study.responder, night, { q1: `slept well in ${label}` }));
  }
  return { study, cases, responses };
}
