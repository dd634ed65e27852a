import { measureStorage, yearsOf } from './measure.ts';

/*
 * `npm run storage`: bytes of a settled notification with its follow-ups, a response, a revision and an entry of the log
 * in a SQLite file, and how many participant-years fit into the 10 GB of a D1 database.
 */

const { bytes, columns } = await measureStorage({ people: 100, days: 365 });
console.table(columns);
console.table(Object.fromEntries(Object.entries(bytes).map(([kind, size]) => [kind, { bytes: size }])));
const { answers, reminders } = yearsOf(bytes);
for (const [what, year] of [
  ['A reminder and an answer a day', answers],
  ['A reminder a day', reminders],
] as const)
  console.log(`${what}: ${year.bytes} bytes a year, ${year.participantYears} participant-years in 10 GB.`);
