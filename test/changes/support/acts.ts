import type { Person } from '../../support/people.ts';
import type { Random } from '../../support/random.ts';
import { lock, type Study } from '../../support/studies.ts';

/** A study in which everybody writes at random, and the identifiers that they chose. */
export interface Written {
  study: Study;
  random: Random;
  cases: string[];
  responses: string[];
  surveys: string[];
}

export const newWritten = (study: Study, random: Random): Written => ({
  study,
  random,
  cases: [],
  responses: [],
  surveys: [study.survey],
});

export type Act<W extends Written = Written> = (world: W, by: Person) => Promise<unknown>;

/** One of the members, owners most often. */
export const writerOf = ({ study: { owner, editor, responder, other }, random }: Written) =>
  random.pick([owner, owner, editor, responder, other]);

const some = ({ random }: Written, list: string[]) =>
  [...new Set(Array.from({ length: 3 }, () => random.pick(list)))].filter(Boolean);
const items = (world: Written) => ({
  cases: some(world, world.cases).map((identifier) => ({ identifier })),
  responses: some(world, world.responses).map((identifier) => ({ identifier })),
});
const id = () => crypto.randomUUID().replaceAll('-', '');
const word = ({ random }: Written) => random.pick(['well', 'badly', 'hardly', 'soundly', '']);
const change =
  (route: string, ...statuses: string[]): Act =>
  (world, by) =>
    by.post(`/investigation/${world.study.id}/${route}`, {
      ...items(world),
      status: world.random.pick(statuses),
    });

/** Writes by every kind of route that shows in the feed. Some are refused. */
export const acts: Act[] = [
  (world, by) => {
    const identifier = id();
    world.cases.push(identifier);
    return by.post(`/investigation/${world.study.id}/case`, { label: 'Night', identifier });
  },
  (world, by) => {
    const identifier = id();
    world.responses.push(identifier);
    const body = { case: world.random.pick(world.cases), items: { q1: word(world) }, identifier };
    return by.post(`/survey/${world.random.pick(world.surveys)}/response`, body);
  },
  (world, by) =>
    by.patch(`/case/${world.random.pick(world.cases)}`, { label: `Night ${world.random.int(9)}` }),
  (world, by) =>
    by.patch(`/response/${world.random.pick(world.responses)}`, {
      items: { q1: word(world) },
      reason: 'a correction',
    }),
  (world, by) =>
    lock(
      by,
      world.study,
      { cases: some(world, world.cases), responses: some(world, world.responses) },
      world.random.pick(['locked', 'unlocked']),
    ),
  change('archive-items', 'archived', 'active'),
  change('delete-items', 'deleted', 'active'),
  ({ study, random }, by) =>
    by.post(`/investigation/${study.id}/lock-matching`, {
      status: random.pick(['locked', 'unlocked']),
      filter: { kinds: ['responses'] },
    }),
  ({ study, random }, by) =>
    by.patch(`/investigation/${study.id}/member/${study.other.id}`, {
      code: random.pick(['P-1', 'P-2', null]),
    }),
  ({ study, random }, by) =>
    by.patch(`/investigation/${study.id}/member/${study.other.id}`, {
      role: random.pick(['editor', 'responder']),
    }),
  ({ study }, by) => by.delete(`/investigation/${study.id}/member/${study.other.id}`),
  ({ study }, by) =>
    by.post(`/investigation/${study.id}/member`, { user: study.other.id, role: 'responder' }),
  ({ random }, by) => by.patch('/user/me', { name: random.pick(['Sam', 'Kim', 'Alex']) }),
  (world, by) => {
    const identifier = id();
    world.surveys.push(identifier);
    return by.post(`/investigation/${world.study.id}/survey`, {
      name: 'Mood',
      items: [{ identifier: 'q1', label: 'How?' }],
      identifier,
    });
  },
  ({ surveys, random }, by) =>
    by.patch(`/survey/${random.pick(surveys)}`, {
      status: random.pick(['active', 'archived']),
      name: `Diary ${random.int(9)}`,
    }),
  ({ study, random }, by) => by.patch(`/investigation/${study.id}`, { name: `Sleep ${random.int(9)}` }),
  async ({ study }, by) => {
    await by.post(`/investigation/${study.id}/freeze`, { status: 'frozen', reason: 'analysis' });
    await by.post(`/investigation/${study.id}/freeze`, { status: 'active', reason: 'done' });
  },
];
