import { type Answer, created, type Person } from '../people.ts';
import { newCase, newMember, type Study } from '../studies.ts';
import { sleepStudy, world } from './world.ts';

/** A study with two sites and two blinded arms. Chidi is of Lyon and of arm a, Dana of Paris and of arm b. */
export interface Trial extends Study {
  /** Monitor of Lyon. */
  mona: Person;
  /** Editor of Paris. */
  eli: Person;
  /** Visit 3: with blinded arms the survey of arm b, which owners alone see of the staff. */
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
  done(await owner.patch(`/investigation/${study.id}`, { properties: declared }));
  const mona = await newMember(world, study, 'Mona', 'monitor');
  const eli = await newMember(world, study, 'Eli', 'editor');
  await setScope(study, mona, { site: ['lyon'] });
  await setScope(study, eli, { site: ['paris'] });
  await setProperties(study, responder, { site: 'lyon', ...(isBlinded && { arm: 'a' }) });
  await setProperties(study, other, { site: 'paris', ...(isBlinded && { arm: 'b' }) });
  const items = [{ identifier: 'q1', label: 'How do you feel?' }];
  const visit = { name: 'Visit 3', items, ...(isBlinded && { for: { arm: ['b'] } }) };
  const survey = created(await owner.post(`/investigation/${study.id}/survey`, visit));
  const lyon = await newCase(study, responder, 'Night of Lyon');
  const paris = await newCase(study, other, 'Night of Paris');
  return { ...study, mona, eli, armSurvey: survey.identifier, lyon, paris };
}

function done(answer: Answer): Answer {
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status} ${answer.text}`);
  return answer;
}

type Owned = Pick<Study, 'id' | 'owner'>;

/** The sites of a study, as its owner declares them. */
export const declareSites = async ({ id, owner }: Owned) =>
  done(await owner.patch(`/investigation/${id}`, { properties: properties.slice(0, 1) }));

export const setScope = async ({ id, owner }: Owned, person: Person, scope: object | null) =>
  done(await owner.patch(`/investigation/${id}/member/${person.id}`, { scope }));

export const setProperties = async ({ id, owner }: Owned, person: Person, given: object) =>
  done(await owner.patch(`/investigation/${id}/member/${person.id}`, { properties: given }));

export const setCase = ({ owner }: Pick<Owned, 'owner'>, id: string, given: object) =>
  owner.patch(`/case/${id}`, { properties: given });
