/** A participant of the demo studies, and how they are. */
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

/** The diary's participants, in five zones. The first ones are those that something happens to. */
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
  person('Quentin Roux', 'Europe/Paris', 0.4, french),
  person('Rosa Delgado', 'America/New_York', 0.68, ios),
  person('Samir Patel', 'Asia/Kolkata', 0.6),
  person('Tess Walker', 'Australia/Sydney', 0.72, ios),
  person('Umar Farouk', 'Europe/London', 0.52),
  person('Vera Schmidt', 'Europe/Paris', 0.76),
  person('Will Turner', 'Australia/Sydney', 0.36, { opens: 0.7 }),
  person('Xenia Pappas', 'Europe/Paris', 0.64, ios),
  person('Yusuf Demir', 'Europe/Paris', 0.72),
  person('Zoe Martin', 'America/New_York', 0.68),
  person('Anders Holm', 'Europe/Paris', 0.56),
  person('Bea Costa', 'Europe/London', 0.76, { takes: 2 }),
  person('Caleb Stone', 'Australia/Sydney', 0.64),
];

/** Participants who are asked at unexpected moments. */
export const momentaries: readonly Habit[] = [
  person('Dina Rossi', 'Europe/Paris', 0.64, { takes: 6 }),
  person('Emil Larsen', 'Europe/Paris', 0.52, { takes: 9 }),
  person('Fleur Petit', 'Europe/Paris', 0.72, { ...french, takes: 3 }),
  person('Gwen Hughes', 'Europe/London', 0.56, { ...ios, takes: 8 }),
  person('Hugo Lambert', 'Europe/Paris', 0.44, { ...french, takes: 15 }),
  person('Ines Alves', 'Europe/London', 0.68, { takes: 5 }),
];
