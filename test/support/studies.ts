import { type Answer, created, type Person, signUp, type World } from './people.ts';

export interface Study {
  id: string;
  survey: string;
  owner: Person;
  editor: Person;
  responder: Person;
  /** A second responder. */
  other: Person;
}

export const diary = [
  { identifier: 'q1', label: 'How did you sleep?' },
  { identifier: 'q2', label: 'When did you wake up?' },
];

export interface StudyOptions {
  reminders?: object | null;
  startsOn?: string;
  /** Added to names, for worlds in which several studies need names of their own. */
  of?: string;
}

/** A sleep study in Paris: Ada owns it, Bruno edits, Chidi and Dana take part. */
export async function newStudy(world: World, options: StudyOptions = {}): Promise<Study> {
  const { reminders = null, startsOn, of } = options;
  const join = (name: string) => signUp(world, of === undefined ? name : `${name} ${of}`);
  const [owner, editor, responder, other] = [
    await join('Ada'),
    await join('Bruno'),
    await join('Chidi'),
    await join('Dana'),
  ];
  const name = of === undefined ? 'Sleep' : `Sleep, ${of}`;
  const study = await owner.post('/investigation', {
    name,
    timeZone: 'Europe/Paris',
    ...(startsOn && { startsOn }),
  });
  const id = created(study).identifier;
  for (const [member, role] of [
    [editor, 'editor'],
    [responder, 'responder'],
    [other, 'responder'],
  ] as const)
    created(await owner.post(`/investigation/${id}/member`, { user: member.id, role }));
  const survey = await owner.post(`/investigation/${id}/survey`, { name: 'Diary', items: diary, reminders });
  return { id, survey: created(survey).identifier, owner, editor, responder, other };
}

/** Somebody who has just joined a study in a role. */
export async function newMember(
  world: World,
  { id, owner }: Pick<Study, 'id' | 'owner'>,
  name: string,
  role: string,
  more: object = {},
): Promise<Person> {
  const person = await signUp(world, name);
  created(await owner.post(`/investigation/${id}/member`, { user: person.id, role, ...more }));
  return person;
}

export async function newCase({ id }: Pick<Study, 'id'>, by: Person, label = 'Night 1', hidden = false) {
  const answer = await by.post(`/investigation/${id}/case`, { label, hidden });
  return created(answer).identifier as string;
}

export async function newResponse(
  { survey }: Pick<Study, 'survey'>,
  by: Person,
  of: string,
  items: object = { q1: 'well' },
) {
  return responseIn(await by.post(`/survey/${survey}/response`, { case: of, items }));
}

/** The identifier of the response that a request made. */
export const responseIn = (answer: Answer): string => String(created(answer).uri).split('/').at(-1) as string;

export const lock = (
  by: Person,
  { id }: Pick<Study, 'id'>,
  items: { cases?: string[]; responses?: string[] },
  status = 'locked',
) =>
  by.post(`/investigation/${id}/lock-items`, {
    ...(items.cases && { cases: items.cases.map((identifier) => ({ identifier })) }),
    ...(items.responses && { responses: items.responses.map((identifier) => ({ identifier })) }),
    status,
  });
