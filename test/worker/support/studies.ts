import { type Person, signUp } from './people.ts';

export interface Study {
  id: string;
  survey: string;
  owner: Person;
  editor: Person;
  responder: Person;
  /** A second responder, who gave a response of their own. */
  other: Person;
}

/** A sleep study in Paris: Ada owns it, Bruno edits, Chidi and Dana take part. */
export async function sleepStudy(reminders: object | null = null): Promise<Study> {
  const [owner, editor, responder, other] = await Promise.all([
    signUp('Ada'),
    signUp('Bruno'),
    signUp('Chidi'),
    signUp('Dana'),
  ]);
  const study = await owner.post('/investigation', { name: 'Sleep', timeZone: 'Europe/Paris' });
  const id = study.body.identifier;
  await owner.post(`/investigation/${id}/member`, { email: editor.email, role: 'editor' });
  await owner.post(`/investigation/${id}/member`, { email: responder.email, role: 'responder' });
  await owner.post(`/investigation/${id}/member`, { email: other.email, role: 'responder' });
  const survey = await owner.post(`/investigation/${id}/survey`, { name: 'Diary', items: diary, reminders });
  if (survey.status !== 201) throw new Error(`survey: ${survey.text}`);
  return { id, survey: survey.body.identifier, owner, editor, responder, other };
}

export const diary = [
  { identifier: 'q1', label: 'How did you sleep?' },
  { identifier: 'q2', label: 'When did you wake up?' },
];

/** Whoever creates a case, or answers, gets its identifier. */
export async function newCase({ id }: Study, by: Person, label = 'Night 1', hidden = false): Promise<string> {
  const answer = await by.post(`/investigation/${id}/case`, { label, hidden });
  if (answer.status !== 201) throw new Error(`case: ${answer.text}`);
  return answer.body.identifier;
}

export async function newResponse({ survey }: Study, by: Person, of: string, items: object = { q1: 'well' }) {
  const answer = await by.post(`/survey/${survey}/response`, { case: of, items });
  if (answer.status !== 201) throw new Error(`response: ${answer.text}`);
  return (answer.body.uri as string).split('/').at(-1) as string;
}

export const lock = (
  by: Person,
  study: Study,
  items: { cases?: string[]; responses?: string[] },
  status = 'locked',
) =>
  by.post(`/investigation/${study.id}/lock-items`, {
    ...(items.cases && { cases: items.cases.map((identifier) => ({ identifier })) }),
    ...(items.responses && { responses: items.responses.map((identifier) => ({ identifier })) }),
    status,
  });
