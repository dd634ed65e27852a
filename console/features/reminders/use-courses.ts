import { useRef } from 'preact/hooks';
import { useAnswer } from '../../answers.ts';
import { api } from '../../api.ts';
import { addDays, todayIn } from '../../format.ts';
import { useStudy } from '../../study-context.ts';
import { type Person, peopleOf } from './course-people.ts';
import type { Timing } from './reminder-draft.ts';
import { type Occurrence, startOf, type usePreview } from './use-preview.ts';

/** The most reminders of a person on a line, as the service has it. */
export const maxShown = 400;
/** Days that are shown of reminders without an end. */
export const endlessDays = 91;

export interface Course extends Person {
  occurrences: readonly Occurrence[];
}

export interface Courses {
  timing: Timing;
  today: string;
  people: readonly Course[];
  isEndless: boolean;
}

/** The courses of several people, as the service computes them, whenever the preview is without fault. */
export function useCourses({ faultless, options }: ReturnType<typeof usePreview>) {
  const { study } = useStudy();
  const last = useRef<Timing | undefined>(undefined);
  if (faultless) last.current = faultless;
  const timing = last.current;
  const today = todayIn(options.zone);
  const { zone, dayZero, respondedAt } = options;
  const members = useMembersWith(
    timing?.type === 'fixed' && typeof timing.from === 'object' ? timing.from.date : undefined,
  );
  const people =
    timing &&
    peopleOf({
      timing,
      study,
      today,
      example: (timing.type === 'triggered' && respondedAt.slice(0, 10)) || dayZero || today,
      members,
    });
  const key = JSON.stringify({ timing, people, zone, respondedAt });
  return useAnswer(
    ['courses', key],
    timing &&
      people &&
      (async (ask) => {
        const isEndless = hasNoEnd(timing);
        const courses = people.map(async (person): Promise<Course> => {
          const { dayZero, participation } = person;
          const since = timing.type === 'rolling' ? (participation?.from ?? dayZero) : undefined;
          const answer = await api.reminders.preview.$post(
            {
              json: {
                reminders: timing,
                timeZone: zone,
                studyTimeZone: study.timeZone,
                ...startOf(timing, {
                  startsOn: study.startsOn,
                  dayZero,
                  ...(respondedAt && { respondedAt: new Date(respondedAt).toISOString() }),
                }),
                ...(participation && { participation }),
                // A day before, as that date may have begun already in the person's zone.
                ...(since && { from: `${addDays(since, -1)}T00:00:00.000Z` }),
                count: maxShown,
              },
            },
            ask,
          );
          const { occurrences } = await answer.json();
          const [, later = today] = [dayZero, today].sort();
          const horizon = addDays(later, endlessDays);
          return {
            ...person,
            occurrences: isEndless ? occurrences.filter(({ on }) => on <= horizon) : occurrences,
          };
        });
        const found: Courses = { timing, today, isEndless, people: await Promise.all(courses) };
        return { json: async () => found };
      }),
  );
}

/** Members of the study whose courses are shown beside those of the examples. */
const maxMembers = 3;

/** A few members who have a date of this name, with their time in the study. */
function useMembersWith(name: string | undefined): readonly Person[] {
  const { study } = useStudy();
  const { member, members } = api.investigation[':id'];
  const id = study.identifier;
  const { data } = useAnswer(
    ['members-with-date', id, name],
    name !== undefined &&
      (async (options) => {
        const list = await members.$get({ param: { id }, query: { limit: '200' } }, options);
        const dated = (await list.json()).members.flatMap(({ identifier: user, dates }) => {
          const dayZero = dates?.[name];
          return dayZero === undefined ? [] : [{ user, dayZero }];
        });
        const people = dated.slice(0, maxMembers).map(async ({ user, dayZero }): Promise<Person> => {
          const answer = await member[':user'].$get({ param: { id, user } }, options);
          const { name, time } = await answer.json();
          const { from, until } = time ?? {};
          return {
            key: user,
            name,
            dayZero,
            ...(from && { participation: { from, ...(until && { until }) } }),
          };
        });
        const found = await Promise.all(people);
        return { json: async () => found };
      }),
  );
  return (name !== undefined && data) || [];
}

/** Reminders that go on until the end of a person's time, if it has one. */
const hasNoEnd = ({ type, recurrence, days, ends }: Timing) =>
  type === 'rolling' ? ends === null : type === 'fixed' && !days && Boolean(recurrence?.endsWith('* * *'));
