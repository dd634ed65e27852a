import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { measureStorage, yearsOf } from '../../tools/storage/measure.ts';

const text = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
const [, section = ''] = text.split('\n## Storage\n');
const [documented = ''] = section.split('\n## ');
const prose = documented.replaceAll(/\s+/g, ' ');

const figure = (pattern: RegExp) => Number(pattern.exec(prose)?.[1]?.replaceAll(',', ''));

test('docs/operating.md has the bytes that rows take in a file, within 5 %', async () => {
  const { bytes, columns } = await measureStorage({ people: 100, days: 365 });
  const { answers, reminders } = yearsOf(bytes);
  const measured = {
    ...bytes,
    'kB of a year of reminders and answers': answers.bytes / 1000,
    'participant-years, with answers': answers.participantYears,
    'participant-years of reminders': reminders.participantYears,
    'the bytes whose parts are told': bytes['settled notification'],
    'user and survey': (columns.user_id ?? 0) + (columns.survey_id ?? 0),
    phone: columns.pushes,
    zone: columns.time_zone,
  };
  const rows = [...documented.matchAll(/^\| (.+) \| ([\d,]+) \|$/gm)];
  const told: Record<string, number> = {
    ...Object.fromEntries(rows.map(([, kind, size]) => [kind, Number(size?.replaceAll(',', ''))])),
    'kB of a year of reminders and answers': figure(/answer a day are ([\d,]+) kB a year/),
    'participant-years, with answers': figure(/10 GB holds ([\d,]+) participant-years/),
    'participant-years of reminders': figure(/of reminders alone ([\d,]+)\./),
    'the bytes whose parts are told': figure(/Of a notification's ([\d,]+) bytes/),
    'user and survey': figure(/the user and the survey take ([\d,]+)/),
    phone: figure(/each phone ([\d,]+)/),
    zone: figure(/the zone ([\d,]+)/),
  };
  expect(Object.keys(told).sort()).toEqual(Object.keys(measured).sort());
  const wrong = Object.entries(measured).filter(
    ([what, size]) => !(Math.abs(Number(size) / Number(told[what]) - 1) <= 0.05),
  );
  expect(wrong).toEqual([]);
});
