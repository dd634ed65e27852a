import { type Answer, type Person, signUp, type World } from './people.ts';

export interface Study {
  id: string;
  survey: string;
  owner: Person;
  editor: Person;
  responder: Person;
}

export const diary = [
  { identifier: 'q1', label: 'How did you sleep?' },
  { identifier: 'q2', label: 'When did you wake up?' },
];

/** A study of three people. `of` keeps the names of scenarios apart, which share one service. */
export async function newStudy(world: World, of: string, reminders: object | null = null): Promise<Study> {
  const owner = await signUp(world, `Ada ${of}`);
  const editor = await signUp(world, `Bruno ${of}`);
  const responder = await signUp(world, `Chidi ${of}`);
  const study = await owner.post('/investigation', {
    name: `Sleep, ${of}`,
    timeZone: 'Europe/Paris',
    startsOn: dayFromNow(-2),
  });
  const id = created(study).identifier;
  created(await owner.post(`/investigation/${id}/member`, { email: editor.email, role: 'editor' }));
  created(await owner.post(`/investigation/${id}/member`, { email: responder.email, role: 'responder' }));
  const survey = await owner.post(`/investigation/${id}/survey`, { name: 'Diary', items: diary, reminders });
  return { id, survey: created(survey).identifier, owner, editor, responder };
}

export async function newCase({ id }: Study, by: Person, label = 'Night 1', hidden = false): Promise<string> {
  const answer = await by.post(`/investigation/${id}/case`, { label, hidden });
  return created(answer).identifier;
}

export async function newResponse({ survey }: Study, by: Person, of: string, items: object = { q1: 'well' }) {
  const answer = await by.post(`/survey/${survey}/response`, { case: of, items });
  return String(created(answer).uri).split('/').at(-1) as string;
}

/** What a scenario builds upon has to be there: runtimes that fail alike would agree. */
export function created({ status, text, body }: Answer) {
  if (status !== 201) throw new Error(`expected 201, got ${status} ${text}`);
  return body;
}

export const dayFromNow = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
