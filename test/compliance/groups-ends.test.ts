import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { csv } from '../support/lists.ts';
import type { Person } from '../support/people.ts';
import { newMember, type Study } from '../support/studies.ts';
import { addMembers, bulkMember } from '../support/worker/bulk.ts';
import { blindedArm, bound, declare, newSurvey, regroup, site } from '../support/worker/groups.ts';
import { readLog } from '../support/worker/logs.ts';
import { clearReminders, seedPast } from '../support/worker/reminder-tables.ts';
import { sleepStudy, world } from '../support/worker/world.ts';

/*
 * The pages of a list end where people and rows make them end that the reader sees, and name no others. Chidi is of Lyon, Dana and
 * the 250 others of Paris. Bruno edits all of the study that is not blinded, and Mona monitors Lyon.
 */

const start = Date.parse('2027-02-01T00:00:00.000Z');
const minutes = 60_000;
const others = 250;

type Cursor = readonly [user: string, dueAt: number, id: string];
const cursorOf = (cursor: Cursor) => btoa(JSON.stringify(cursor)).replace(/=+$/, '');
const placeIn = (next: string) =>
  JSON.parse(atob(next.replaceAll('-', '+').replaceAll('_', '/'))) as [string, number, string];

/** The identifiers of each page from a place on, and the places at which the pages ended. */
async function walk({ id }: Study, by: Person, query: string, from?: Cursor) {
  const pages: { found: string[]; next?: readonly unknown[] }[] = [];
  for (let cursor = from && cursorOf(from); ; ) {
    const path = `/investigation/${id}/occurrences?limit=1000${query}`;
    const { status, text, body } = await by.get(cursor ? `${path}&cursor=${cursor}` : path);
    expect(status, text).toBe(200);
    const found = body.occurrences.map(({ identifier }: { identifier: string }) => identifier);
    pages.push({ found, ...(body.next && { next: placeIn(body.next) }) });
    expect(pages.length).toBeLessThan(20);
    if (!body.next) return pages;
    cursor = body.next;
  }
}

const foundIn = (pages: Awaited<ReturnType<typeof walk>>) => pages.flatMap(({ found }) => found);
const endsOf = (pages: Awaited<ReturnType<typeof walk>>) => pages.flatMap(({ next }) => next ?? []);

async function identifiers(sql: string, ...values: string[]) {
  const { results } = await env.DB.prepare(sql)
    .bind(...values)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

async function blindedTrial() {
  const study = await sleepStudy();
  const { responder: chidi, other: dana } = study;
  await declare(study, site, blindedArm);
  const mona = await newMember(world, study, 'Mona', 'monitor');
  await bound(study, mona, { site: ['lyon'] });
  await regroup(study, chidi, { site: 'lyon', arm: 'a' });
  await regroup(study, dana, { site: 'paris', arm: 'b' });
  await addMembers(study, others);
  await env.DB.prepare(
    `update member set properties = '{"site":["paris",1]}' where investigation_id = ?1 and user_id like substr(?1, 1, 18) || '%'
      and properties is null and role = 'responder'`,
  )
    .bind(study.id)
    .run();
  const blinded = await newSurvey(study, { for: { arm: ['a'] } });
  return { ...study, chidi, dana, mona, bruno: study.editor, blinded };
}

/** So many reminders a minute apart. */
const sent = (user: Person, survey: string, count: number, late = 0) =>
  seedPast(
    Array.from({ length: count }, (_, n) => ({
      ...{ user: user.id, survey, state: 'sent' as const },
      ...{ on: '2027-02-01', slot: n, dueAt: start + n * minutes + late },
    })),
  );

test('are the same whichever arm each person is in, whatever they have elsewhere, from any place', async () => {
  const study = await blindedTrial();
  const { chidi, dana, mona, bruno, survey, blinded } = study;
  const elsewhere = await sleepStudy();
  const places: (Cursor | undefined)[] = [
    undefined,
    ...[chidi, dana].flatMap(({ id }) => [190, 900].map((n): Cursor => [id, start + n * minutes + 1, ''])),
  ];
  const look = async () => {
    const seen = [];
    for (const by of [bruno, mona])
      for (const query of ['', `&from=2027-02-02&survey=${survey}`])
        for (const place of places) seen.push(await walk(study, by, query, place));
    return seen;
  };
  for (const person of [chidi, dana]) await sent(person, survey, 200);
  const before = await look();
  expect(foundIn(before[0] ?? [])).toHaveLength(400);
  expect(before[places.length]).not.toHaveLength(1);

  const hiddenOf = () => identifiers('select id from notification where survey_id <> ?1', survey);
  const expectSame = async () => {
    const [now, hidden] = [await look(), new Set<unknown>(await hiddenOf())];
    expect(hidden.size).toBe(6_000);
    expect(now).toEqual(before);
    expect(now.flatMap(endsOf).filter((part) => hidden.has(part))).toEqual([]);
  };
  for (const person of [chidi, dana]) {
    for (const other of [chidi, dana]) await regroup(study, other, { arm: other === person ? 'a' : 'b' });
    await sent(person, blinded, 6_000, 1);
    await expectSame();
    await clearReminders({ survey: blinded });
  }
  await sent(chidi, elsewhere.survey, 6_000, 1);
  await expectSame();
});

test('behind so many people, whether or not the last one has a row, and leave nobody out', async () => {
  const study = await blindedTrial();
  const { owner, bruno, survey } = study;
  const people = await identifiers(
    'select user_id as id from member where investigation_id = ? order by user_id',
    study.id,
  );
  const some = [0, 98, 99, 100, 101, 198, 199, 200, people.length - 1];
  for (const seeded of [some, some.filter((n) => n % 100 !== 0), [people.length - 1], []]) {
    await clearReminders({ survey });
    await seedPast(
      seeded.map((n) => ({ user: people[n] ?? '', survey, on: '2027-02-01', state: 'sent' as const })),
    );
    const [whole, pages] = [await walk(study, owner, ''), await walk(study, bruno, '')];
    expect(whole).toHaveLength(1);
    expect(foundIn(whole)).toHaveLength(seeded.length);
    expect(foundIn(pages)).toEqual(foundIn(whole));
    expect(pages.map(({ next }) => next?.[0])).toEqual([people[100], people[200], undefined]);
    // A file counts, and has, as many.
    const file = await bruno.get(`/investigation/${study.id}/occurrences`, csv);
    expect(file.text.trimEnd().split('\r\n')).toHaveLength(1 + seeded.length);
    const entries = await readLog(study, owner, '&action=data.exported');
    expect(entries.at(-1).details).toMatchObject({ count: seeded.length });
  }
});

test('name nobody of another site, and repeat no row', async () => {
  const study = await blindedTrial();
  const { chidi, mona, survey } = study;
  const lyon = [chidi.id, ...[40, 99, 100, 101, 180].map((n) => bulkMember(study.id, n))];
  for (const id of lyon.slice(1)) await regroup(study, { ...chidi, id }, { site: 'lyon' });
  await seedPast(
    [study.dana.id, bulkMember(study.id, 98), ...lyon].map((user) => ({
      ...{ user, survey, on: '2027-02-01', state: 'sent' as const },
    })),
  );
  const outside = await identifiers(
    `select user_id as id from member where investigation_id = ?1 and properties ->> '$.site[0]' = 'paris'`,
    study.id,
  );
  expect(outside.length).toBeGreaterThan(others - 10);
  const pages = await walk(study, mona, '');
  expect(foundIn(pages)).toHaveLength(lyon.length);
  expect(new Set(foundIn(pages)).size).toBe(lyon.length);
  expect(pages).toHaveLength(3);
  expect(endsOf(pages).filter((part) => outside.includes(part as string))).toEqual([]);
  expect(pages.filter(({ next }) => String(next?.[0]).endsWith('0'.repeat(8)))).not.toEqual([]);
});
