import { addDays } from '../../format.ts';
import type { Timing } from './reminder-draft.ts';
import { strings } from './reminder-strings.ts';

/* People whose courses are shown beside the form. */

export interface Participation {
  from?: string | undefined;
  until?: string | undefined;
}

/** A person of the example, or of the study. Dates are local ones. */
export interface Person {
  key: string;
  name: string;
  /** The date from which their days are counted. */
  dayZero: string;
  participation?: Participation | undefined;
}

interface Given {
  timing: Pick<Timing, 'type' | 'from'>;
  study: { startsOn: string; participationDays?: number | undefined };
  /** Today, and the date of the preview's own example. */
  today: string;
  example: string;
  /** Members of the study who have the date. */
  members: readonly Person[];
}

/** Several people who are in different parts of their course. */
export function peopleOf({ timing: { type, from }, study, today, example, members }: Given): Person[] {
  const { courses } = strings;
  const earlier = addDays(today, -30);
  const joining = (name: string, joinedOn: string): Person => ({
    key: name,
    name,
    dayZero: joinedOn,
    participation: {
      from: joinedOn,
      ...(study.participationDays && { until: addDays(joinedOn, study.participationDays - 1) }),
    },
  });
  if (type === 'triggered') return [joining(courses.responded, example)];
  if (type === 'rolling') {
    const { startsOn } = study;
    const all = [
      joining(courses.joined.today, today),
      joining(courses.joined.earlier, earlier),
      joining(courses.joined.first, startsOn),
    ];
    const begun = all.filter(({ dayZero }) => dayZero >= startsOn);
    return begun.map((person) => ({ ...person, dayZero: startsOn }));
  }
  const given = [today, earlier, ...(typeof from === 'object' ? [addDays(today, 14)] : [])];
  const own = given.includes(example) ? [] : [joining(courses.example, example)];
  if (typeof from !== 'object') {
    const names = courses[from === 'joined' ? 'joined' : 'downloaded'];
    return [joining(names.today, today), joining(names.earlier, earlier), ...own];
  }
  const { date } = from;
  const { ahead, ...dated } = courses.dated;
  return [
    { ...joining(ahead(date), today), dayZero: addDays(today, 14) },
    joining(dated.today(date), today),
    joining(dated.earlier(date), earlier),
    ...own,
    ...members,
  ];
}
