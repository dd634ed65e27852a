import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { wallAt } from '../../simulator/oracle/clock.ts';
import { isWithin, slowStart, slowTime } from '../../simulator/oracle/course.ts';
import { createExpectations } from '../../simulator/oracle/expected.ts';
import { slowDue } from '../../simulator/oracle/triggers.ts';
import type { ScenarioFile } from '../../simulator/scenario.ts';
import { previewReminders } from '../../src/reminders/reminder-shapes.ts';
import { preview } from '../../src/schedule/preview.ts';
import { exampleDraw } from '../../src/schedule/windows.ts';
import { outcomeOf } from './support.ts';

/*
 * The page of designs cannot go stale: the simulator runs each of its studies, and the schedule's preview and the oracle
 * compute each, and they come to the dates and times that the page lists.
 */

type Surveys = ScenarioFile['surveys'];

/** A study of the page: its settings, and one person in it. */
interface Design {
  title: string;
  settings: {
    study: ScenarioFile['study'];
    surveys: Surveys;
    person: {
      joins: string;
      dates?: Record<string, string>;
      answers?: { at: string; survey: string; q1?: string }[];
    };
  };
  /** The lines of the reminders that the page lists. */
  listed: string[];
}

const page = await readFile(new URL('../../docs/designs.md', import.meta.url), 'utf8');
const [, ...sections] = page.split(/^## /m);
const blockOf = (section: string, kind: string) =>
  section.match(new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``))?.[1] ?? '';
const designs = sections.map(
  (section): Design => ({
    title: section.slice(0, section.indexOf('\n')),
    settings: JSON.parse(blockOf(section, 'json')),
    listed: blockOf(section, 'text').trimEnd().split('\n'),
  }),
);

const zone = 'Europe/Paris';
const dayMs = 86_400_000;

interface Push {
  at: number;
  survey: string;
  again: boolean;
}

/** As the page lists them: dates one after the other with the same times are one line. */
function linesOf(pushes: Push[]): string[] {
  const days = new Map<string, { date: string; times: string[]; what: string }>();
  for (const { at, survey, again } of pushes.toSorted((a, b) => a.at - b.at)) {
    const [date = '', time = ''] = wallAt(at, zone).split(' ');
    const what = again ? `${survey}, again` : survey;
    const day = days.get(`${date} ${what}`) ?? { date, times: [], what };
    day.times.push(time);
    days.set(`${date} ${what}`, day);
  }
  const rows: { first: string; last: string; rest: string }[] = [];
  for (const { date, times, what } of days.values()) {
    const rest = `${times.join(' ')}  ${what}`;
    const before = rows.findLast((row) => row.rest === rest);
    if (before && Date.parse(date) - Date.parse(before.last) === dayMs) before.last = date;
    else rows.push({ first: date, last: date, rest });
  }
  return rows.map(({ first, last, rest }) => `${first === last ? first : `${first} to ${last}`}  ${rest}`);
}

const lastOf = ({ listed }: Design) =>
  Date.parse(
    listed
      .at(-1)
      ?.match(/\d{4}-\d\d-\d\d/g)
      ?.at(-1) ?? '',
  );

describe.each(designs)('$title', (design) => {
  const { settings, listed } = design;
  const { study, surveys, person } = settings;
  const isDrawn = surveys.some(({ reminders }) => reminders?.windows !== undefined);

  test('comes as the page lists it, in the simulator', async () => {
    const outcome = await outcomeOf({
      from: person.joins,
      until: new Date(lastOf(design) + 2 * dayMs).toISOString(),
      study,
      surveys,
      members: [
        { name: 'Ada', role: 'owner' },
        {
          name: 'Chidi',
          phones: [{ name: 'pixel', timeZone: zone }],
          downloads: surveys.map(({ name }) => name),
          ...(person.dates && { dates: person.dates }),
        },
      ],
      events: (person.answers ?? []).map((answer) => ({ ...answer, who: 'Chidi', does: 'answers' })),
      reconcile: false,
    });
    expect(outcome.violations).toEqual([]);
    expect(outcome.refusals).toEqual([]);
    const all = outcome.participants.find(({ name }) => name === 'Chidi')?.notifications ?? [];
    const pushes = all.flatMap(({ survey, dueAt, state, followUps }): Push[] => [
      ...(state === 'sent' ? [{ at: Date.parse(dueAt), survey, again: false }] : []),
      ...followUps.flatMap((one) =>
        one.state === 'sent' ? [{ at: Date.parse(one.dueAt), survey, again: true }] : [],
      ),
    ]);
    // Drawn times are each person's own.
    const shown = (lines: string[]) =>
      isDrawn ? lines.map((line) => line.replaceAll(/\d\d:\d\d/g, '**:**')) : lines;
    expect(shown(linesOf(pushes))).toEqual(shown(listed));
    expect(all.filter(({ state }) => state === 'scheduled')).toEqual([]);
  });

  test('comes as the page lists it, by the preview and by the oracle', () => {
    const first = listed.filter((line) => !line.endsWith(', again'));
    const joinedOn = wallAt(Date.parse(person.joins), zone).slice(0, 10);
    const expected = createExpectations(lastOf(design));
    const previewed: Push[] = [];
    const slow: Push[] = [];
    const days = study.participationDays ?? null;
    const time = slowTime({ joinedOn, own: null, days });
    for (const { name: survey, reminders } of surveys) {
      if (reminders === null) continue;
      const trigger = reminders.trigger as { survey: string; after: number } | undefined;
      const answer = person.answers?.find((one) => one.survey === trigger?.survey);
      const given = previewReminders.parse({
        ...reminders,
        ...(trigger && { trigger: { ...trigger, survey: 'a'.repeat(32) } }),
      });
      const shown = preview({
        reminders: given,
        timeZone: zone,
        joinedOn,
        downloadedOn: joinedOn,
        startsOn: study.startsOn,
        dates: person.dates,
        participation: time,
        ...(answer && { respondedAt: Date.parse(answer.at) }),
        count: 200,
      });
      const push = (at: number): Push => ({ at, survey, again: false });
      previewed.push(...shown.map(({ dueAt }) => push(Date.parse(dueAt))));
      if (answer && trigger) slow.push(push(slowDue(trigger, Date.parse(answer.at), zone)));
      const start = slowStart(given.from, {
        joinedOn,
        downloadedOn: joinedOn,
        dates: person.dates ?? {},
      });
      const of = { given, timeZone: zone, studyZone: zone, time: null, draw: exampleDraw };
      for (const { on } of expected.dates({ given, start, draw: exampleDraw }))
        if (isWithin(time, on)) slow.push(push(expected.due(on, of)));
    }
    expect(linesOf(previewed)).toEqual(first);
    expect(linesOf(slow)).toEqual(first);
  });
});

test('the page has six designs', () => {
  expect(designs.map(({ title }) => title)).toHaveLength(6);
});
