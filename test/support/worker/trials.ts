import { env } from 'cloudflare:workers';
import { created, type Person } from '../people.ts';
import { newCase, newMember, type Study } from '../studies.ts';
import { sleepStudy, world } from './world.ts';

/** A study with two sites and two blinded arms. Chidi is of Lyon and of arm a, Dana of Paris and of arm b. */
export interface Trial extends Study {
  /** Monitor of Lyon. */
  mona: Person;
  /** Editor of Paris. */
  eli: Person;
  /** The survey of arm b, which owners alone see of the staff. */
  armSurvey: string;
  /** Cases by their site. */
  lyon: string;
  paris: string;
}

const properties = [
  { name: 'site', values: ['lyon', 'paris'] },
  { name: 'arm', values: ['a', 'b'], blinded: true },
];

export async function newTrial({ isBlinded = true } = {}): Promise<Trial> {
  const study = await sleepStudy();
  const { owner, responder, other } = study;
  const declared = isBlinded ? properties : properties.slice(0, 1);
  const patched = await owner.patch(`/investigation/${study.id}`, { properties: declared });
  if (patched.status !== 200) throw new Error(patched.text);
  const mona = await newMember(world, study, 'Mona', 'monitor');
  const eli = await newMember(world, study, 'Eli', 'editor');
  await setScope(study, mona, { site: ['lyon'] });
  await setScope(study, eli, { site: ['paris'] });
  await setProperties(study, responder, { site: 'lyon', ...(isBlinded && { arm: 'a' }) });
  await setProperties(study, other, { site: 'paris', ...(isBlinded && { arm: 'b' }) });
  const items = [{ identifier: 'q1', label: 'How do you feel?' }];
  const survey = created(await owner.post(`/investigation/${study.id}/survey`, { name: 'Visit 3', items }));
  const armSurvey = survey.identifier as string;
  if (isBlinded) await setFor(armSurvey, { arm: ['b'] });
  const lyon = await newCase(study, responder, 'Night of Lyon');
  const paris = await newCase(study, other, 'Night of Paris');
  await setCase(lyon, { site: 'lyon', ...(isBlinded && { arm: 'a' }) });
  await setCase(paris, { site: 'paris', ...(isBlinded && { arm: 'b' }) });
  return { ...study, mona, eli, armSurvey, lyon, paris };
}

const run = (text: string, ...values: unknown[]) =>
  env.DB.prepare(text)
    .bind(...values)
    .run();

export const setScope = ({ id }: Pick<Study, 'id'>, person: Person, scope: object | null) =>
  run(
    'update member set scope = ?3 where investigation_id = ?1 and user_id = ?2',
    id,
    person.id,
    scope && JSON.stringify(scope),
  );

const stored = (given: object) =>
  JSON.stringify(Object.fromEntries(Object.entries(given).map(([name, value]) => [name, [value, 1]])));

export const setProperties = ({ id }: Pick<Study, 'id'>, person: Person, given: object) =>
  run(
    'update member set properties = ?3 where investigation_id = ?1 and user_id = ?2',
    id,
    person.id,
    stored(given),
  );

const setCase = (id: string, given: object) =>
  run('update study_case set properties = ?2 where id = ?1', id, stored(given));

const setFor = (survey: string, rule: object) =>
  run('update survey set "for" = ?2, blinded = 1 where id = ?1', survey, JSON.stringify(rule));
