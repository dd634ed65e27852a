/** A participant of the demo study, and how they are. */
export interface Habit {
  name: string;
  timeZone: string;
  language: string;
  platform: 'ios' | 'android';
  /** Of reminders: the share that is answered, and the share of the others that is at least opened. */
  answers: number;
  opens: number;
  /** Minutes from a push to its answer, typically. */
  takes: number;
  /** Takes part without an account. */
  joinsByCode?: true;
}

const person = (
  name: string,
  timeZone: string,
  answers: number,
  { language = 'en', platform = 'android', opens = 0.4, takes = 12, ...others }: Partial<Habit> = {},
): Habit => ({ name, timeZone, language, platform, answers, opens, takes, ...others });

const french = { language: 'fr' } as const;
const ios = { platform: 'ios' } as const;

export const firstParticipant = person('Chidi Okafor', 'Europe/Paris', 0.8);

/** The others, in five zones. The first ones are those that something happens to. */
export const diarists: readonly Habit[] = [
  person('Farid Haddad', 'Europe/Paris', 0.72, { ...french, joinsByCode: true }),
  person('Greta Olsen', 'Europe/Paris', 0.68),
  person('Hana Suzuki', 'Europe/London', 0.72, ios),
  person('Ivo Petrov', 'America/New_York', 0.64),
  person('Jules Moreau', 'Europe/Paris', 0.6, french),
  // Without the survey there is nothing to answer.
  person('Kofi Mensah', 'Europe/London', 0, { opens: 0 }),
  person('Leila Benali', 'Europe/Paris', 0.76, { ...french, takes: 4 }),
  person('Marta Nowak', 'Europe/London', 0.72, ios),
  person('Noor Khan', 'Asia/Kolkata', 0.68),
  person('Owen Price', 'Europe/London', 0.56, { takes: 40 }),
  person('Priya Nair', 'Asia/Kolkata', 0.76, { takes: 3 }),
  person('Rosa Delgado', 'America/New_York', 0.68, ios),
  person('Tess Walker', 'Australia/Sydney', 0.72, ios),
  person('Vera Schmidt', 'Europe/Paris', 0.76),
  person('Will Turner', 'Australia/Sydney', 0.36, { opens: 0.7 }),
];
