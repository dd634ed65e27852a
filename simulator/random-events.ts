import type { Draws } from './random-draws.ts';
import { iso } from './random-moments.ts';
import {
  type RandomMember,
  type RandomSurvey,
  randomPhone,
  randomQuietHours,
  zones,
} from './random-people.ts';
import { randomReminders } from './random-reminders.ts';
import type { ScenarioFile } from './scenario.ts';

const hourMs = 3_600_000;

type Event = NonNullable<ScenarioFile['events']>[number];

/** The study in which events happen; `from` is its beginning (epoch ms), and `within` gives moments (ISO 8601). */
export interface RandomStudy {
  draws: Draws;
  surveys: RandomSurvey[];
  members: RandomMember[];
  from: number;
  within: () => string;
}

export function randomEvent({ draws, surveys, members, from, within }: RandomStudy): Event {
  const { below, one, chance, wallTime } = draws;
  const at = within();
  const who = one(members).name;
  const survey = one(surveys).name;
  const base = { at, who };
  const editor = { at, who: ownerOf(members) };
  const responder = () => ({ ...base, who: one(members.slice(1)).name });
  const actions: (() => Event)[] = [
    () => ({ ...base, does: 'travels', to: one(zones) }),
    () => ({ ...base, does: 'travels', to: one(zones) }),
    () => ({ ...base, does: 'chooses-time', time: chance(0.3) ? null : wallTime() }),
    () => ({ ...base, does: 'answers', survey }),
    () => ({ ...base, does: 'downloads', survey }),
    () => ({
      ...base,
      does: 'pauses',
      until: chance(0.3) ? null : iso(Date.parse(at) + (1 + below(24)) * hourMs),
      onlyStudy: chance(0.5),
    }),
    () => ({ ...base, does: 'resumes', onlyStudy: chance(0.5) }),
    () => ({ ...base, does: 'gets-phone', phone: randomPhone(draws, one(['phone 2', 'phone 3'])) }),
    () => ({ ...base, does: 'deletes-phone', phone: 'phone 1' }),
    () => ({ ...base, does: 'uninstalls-app', phone: 'phone 1' }),
    () => ({ ...base, does: 'new-token', phone: 'phone 1' }),
    () => ({ ...base, does: 'takes-phone', phone: 'phone 1', of: one(members).name }),
    () => ({ ...responder(), does: 'leaves' }),
    () => ({ ...responder(), does: 'joins' }),
    () => ({ ...responder(), does: 'joins' }),
    () => ({
      ...editor,
      does: 'edits-reminders',
      survey,
      reminders: chance(0.1) ? null : randomReminders(draws),
    }),
    () => ({ ...editor, does: 'edits-reminders', survey, reminders: randomReminders(draws) }),
    () => ({ ...editor, does: 'archives-survey', survey }),
    () => ({ ...editor, does: 'restores-survey', survey }),
    () => ({
      ...editor,
      does: 'changes-study',
      startsOn: iso(from + (below(5) - 2) * 24 * hourMs).slice(0, 10),
    }),
    () => ({ ...editor, does: 'changes-study', timeZone: one(zones) }),
    () => ({ ...editor, does: one(['archives-study', 'restores-study', 'restores-study']) }),
    () => (chance(0.2) ? { ...responder(), does: 'deletes-account' } : { ...base, does: 'resumes' }),
  ];
  return one(actions)();
}

/** From one moment to another, or until the end. */
export function randomFreeze({ draws: { chance }, members, within }: RandomStudy): Event[] {
  const [at, end] = [within(), within()].sort() as [string, string];
  const who = ownerOf(members);
  return [
    { at, who, does: 'freezes-study' },
    ...(chance(0.8) ? [{ at: end, who, does: 'unfreezes-study' as const }] : []),
  ];
}

export const randomQuietHoursEvent = ({ draws, members, within }: RandomStudy): Event => ({
  at: within(),
  who: draws.one(members).name,
  does: 'chooses-quiet-hours',
  quietHours: draws.chance(0.4) ? null : randomQuietHours(draws),
});

const ownerOf = ([owner]: RandomMember[]) => owner?.name ?? '';
