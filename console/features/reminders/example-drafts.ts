import { type Draft, draftOf, type Reminders } from './reminder-draft.ts';
import { strings } from './reminder-strings.ts';

/* Reminders of the usual designs, as a form that is filled in. */

export type ExampleName = 'diary' | 'bursts' | 'followUp' | 'visits';
export const exampleNames: readonly ExampleName[] = ['diary', 'bursts', 'followUp', 'visits'];

type Timing = Omit<Reminders, 'notification'>;

const [hour, day] = [60, 1440];
const plain = { ends: null, delay: null, unlessAnswered: false };

/** The days and times of an example; those that need a date count from the one of this name. */
const timings: Record<ExampleName, (date: string) => Timing> = {
  diary: () => ({
    ...plain,
    type: 'rolling',
    recurrence: '0 20 * * *',
    ends: 28,
    unlessAnswered: true,
    expiresAfter: 4 * hour,
    followUps: { every: hour, max: 2, stop: 'answered' },
  }),
  bursts: () => ({
    ...plain,
    type: 'fixed',
    recurrence: '* * * * *',
    from: 'joined',
    days: { burst: 7, every: 91, times: 4 },
    windows: [{ from: '09:00', to: '21:00', count: 4 }],
    minGap: 90,
    expiresAfter: hour,
  }),
  followUp: (date) => ({
    ...plain,
    type: 'fixed',
    recurrence: '0 9 * * *',
    from: { date },
    days: [5, 30, 60, 90],
    expiresAfter: 3 * day,
    followUps: { every: day, max: 2, stop: 'answered' },
  }),
  visits: (date) => ({
    ...plain,
    type: 'fixed',
    recurrence: '0 9 * * *',
    from: { date },
    days: [14, 77, 168],
    expiresAfter: 21 * day,
    answerWithin: 21 * day,
    followUps: { every: 7 * day, max: 2, stop: 'answered' },
  }),
};

/** The date of an example, if the study declares none. */
const usualDate = 'surgery';

/** The form with an example. A text that somebody has typed stays, and so do its translations. */
export function withExample(draft: Draft, name: ExampleName, declared: readonly string[]): Draft {
  const date = declared.includes(usualDate) ? usualDate : (declared[0] ?? usualDate);
  const { subject, body, translations } = draft;
  return {
    ...draftOf({
      ...timings[name](date),
      notification: isOwnText(draft) ? { subject, body } : strings.examples.texts[name],
    }),
    translations,
  };
}

/** Neither empty nor that of another example. */
const isOwnText = ({ subject, body }: Draft) =>
  `${subject}${body}` !== '' &&
  !Object.values(strings.examples.texts).some((text) => text.subject === subject && text.body === body);
