import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import { countingTriggers } from '../support/reminder-rows.ts';
import { newMember, type Study } from '../support/studies.ts';
import { addMembers } from '../support/worker/bulk.ts';
import { countedApp } from '../support/worker/counters.ts';
import { arm, bound, declare, site } from '../support/worker/groups.ts';
import { seedPast } from '../support/worker/reminder-tables.ts';
import { sleepStudy, world } from '../support/worker/world.ts';

/*
 * A part of a study, of a scope or a filter, costs no more in a large study: a page looks at 5,000 people at most, and goes on. Of the bulk, one of sixteen is of Lyon, and all others are of Paris; Zita's site, Rome, has nobody.
 */

const { measure } = countedApp();
const sizes = [3_000, 12_000] as const;
const looked = 5_000;
const year = 'from=2026-03-01&to=2027-03-01';
const dates = 366;

interface Sites extends Study {
  mona: Person;
  zita: Person;
}
const studies = new Map<number, Sites>();

beforeAll(async () => {
  for (const size of sizes) {
    const study = await sleepStudy();
    await declare(study, { ...site, values: ['lyon', 'paris', 'rome'] }, arm);
    await addMembers(study, size);
    await env.DB.prepare(
      `update member set properties = json_object('arm', json_array(iif(substr(user_id, -2, 1) < '8', 'a', 'b'), 1),
          'site', json_array(iif(substr(user_id, -1) = '7', 'lyon', 'paris'), 1))
        where investigation_id = ?1 and user_id like substr(?1, 1, 18) || '%'`,
    )
      .bind(study.id)
      .run();
    const [mona, zita] = [
      await newMember(world, study, 'Mona', 'monitor'),
      await newMember(world, study, 'Zita', 'editor'),
    ];
    await bound(study, mona, { site: ['lyon'] });
    await bound(study, zita, { site: ['rome'] });
    await env.DB.prepare(
      `with recursive day(d) as (select 0 union all select d + 1 from day where d < ${dates - 1}),
          combination(c) as (values (''), ('{"arm":"a","site":"lyon"}'), ('{"arm":"a","site":"paris"}'),
            ('{"arm":"b","site":"lyon"}'), ('{"arm":"b","site":"paris"}'))
        insert into survey_compliance select ?1, c, date('2027-03-01', -d || ' days'), 'sent', iif(c = '', 4, 1), 0, 0, 0, 0
        from combination, day`,
    )
      .bind(study.survey)
      .run();
    const { results } = await env.DB.prepare(
      "select user_id as user from member where investigation_id = ? and properties ->> '$.site[0]' = 'lyon' limit 100",
    )
      .bind(study.id)
      .all<{ user: string }>();
    const triggers = countingTriggers;
    const texts = await env.DB.prepare(
      `select sql from sqlite_master where name in ('${triggers.join("', '")}')`,
    ).all<{ sql: string }>();
    for (const name of triggers) await env.DB.prepare(`drop trigger ${name}`).run();
    await seedPast(
      results.map(({ user }) => ({ user, survey: study.survey, on: '2027-02-28', state: 'sent' as const })),
    );
    for (const { sql } of texts.results) await env.DB.prepare(sql).run();
    studies.set(size, { ...study, mona, zita });
  }
  await sleepStudy();
});

const sized = (size: number) => studies.get(size) as Sites;

async function costOf({ id }: Study, by: Person, path: string) {
  const { answer, ...cost } = await measure(by, 'GET', `/investigation/${id}/${path}`);
  expect(answer.status, answer.text).toBe(200);
  expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  return { rowsRead: cost.rowsRead, body: answer.body };
}

test.each([
  ['a page of a day', `compliance?from=2027-02-28&to=2027-02-28&limit=15`],
  ['a page of a year', `compliance?${year}&limit=15`],
  ['a page of who needs attention', `compliance?${year}&limit=15&attention=unreachable`],
  ['a year by date', `compliance/daily?${year}`],
  ['a page of the days of each', `compliance/daily/participants?${year}&limit=15`],
  ['ten occurrences', 'occurrences?limit=10'],
])('%s costs a monitor of Lyon, and who asks for it, the same in any study', async (_, path) => {
  for (const [who, filter] of [
    ['mona', ''],
    ['owner', '&property=site:lyon'],
  ] as const) {
    const costs: number[] = [];
    for (const size of sizes)
      costs.push((await costOf(sized(size), sized(size)[who], path + filter)).rowsRead);
    expect(Math.max(...costs) - Math.min(...costs), costs.join()).toBeLessThanOrEqual(2);
    // Sixteen people are looked at for each of the page, and their combinations for the totals.
    expect(Math.max(...costs)).toBeLessThanOrEqual(path.includes('daily?') ? 4 * dates + 60 : 2_400);
  }
});

test('totals of a site cost those of its combinations, whatever other sites have', async () => {
  const study = sized(sizes[0]);
  const path = `compliance/daily?${year}`;
  const whole = await costOf(study, study.owner, path);
  const lyon = await costOf(study, study.owner, `${path}&property=site:lyon`);
  const one = await costOf(study, study.owner, `${path}&property=site:lyon&property=arm:a`);
  const mine = await costOf(study, study.mona, path);
  const dueOf = ({ body }: typeof whole) => body.days.map(({ due }: { due: number }) => due);
  expect(dueOf(whole)).toEqual(Array(dates).fill(4));
  for (const part of [lyon, mine]) expect(dueOf(part)).toEqual(Array(dates).fill(2));
  expect(dueOf(one)).toEqual(Array(dates).fill(1));
  expect(one.rowsRead - whole.rowsRead).toBeLessThanOrEqual(40);
  expect(lyon.rowsRead - one.rowsRead).toBeLessThanOrEqual(2 * dates + 5);
  expect(Math.abs(mine.rowsRead - lyon.rowsRead)).toBeLessThanOrEqual(6);
});

/** The place names somebody of Paris. */
async function isOfParis({ id }: Study, next: string): Promise<boolean> {
  const place = JSON.parse(atob(next.replaceAll('-', '+').replaceAll('_', '/')));
  const found = await env.DB.prepare(
    `select 1 from member m join json_each(?2) e on e.value = m.user_id
      where m.investigation_id = ?1 and m.properties ->> '$.site[0]' = 'paris'`,
  )
    .bind(id, JSON.stringify(place))
    .first();
  return found !== null;
}

/** The people of all pages, and the number of pages; each costs what it looks at, once for its rows and once for its end. */
async function pagesOf(study: Sites, by: Person, list: string, query: string) {
  const found: string[] = [];
  for (let cursor = '', pages = 1; ; pages++) {
    const { rowsRead, body } = await costOf(study, by, `${list}?limit=1000${query}${cursor}`);
    const rows: { user: string }[] = body.participants ?? body.occurrences;
    expect(rowsRead).toBeLessThanOrEqual(5 * looked + 12 * rows.length + 80);
    found.push(...rows.map(({ user }) => user));
    if (!body.next) return { found, pages };
    if (by !== study.owner) expect(await isOfParis(study, body.next)).toBe(false);
    cursor = `&cursor=${body.next}`;
  }
}

test('pages of a part of a large study are short, and leave nobody out', async () => {
  const study = sized(12_000);
  const day = '&from=2027-02-28&to=2027-02-28';
  const mine = await pagesOf(study, study.mona, 'compliance', day);
  expect(new Set(mine.found).size).toBe(750);
  expect(mine).toEqual({ found: [...new Set(mine.found)], pages: 3 });
  expect(await pagesOf(study, study.owner, 'compliance', `${day}&property=site:lyon`)).toEqual(mine);
  expect(await pagesOf(study, study.zita, 'compliance', day)).toEqual({ found: [], pages: 3 });
  expect((await pagesOf(study, study.mona, 'compliance/daily/participants', day)).found).toEqual(mine.found);
  expect((await pagesOf(study, study.mona, 'occurrences', day)).found).toHaveLength(100);
  expect(await pagesOf(study, study.zita, 'occurrences', day)).toEqual({ found: [], pages: 3 });
});

test('who needs attention is counted among as many people as of the whole study', async () => {
  const [few, many] = [sized(sizes[0]), sized(sizes[1])];
  const countsOf = async (study: Sites, by: Person, query = '') => {
    const { rowsRead, body } = await costOf(study, by, `compliance/attention${query}`);
    return { rowsRead, ...body.attention.find(({ reason }: { reason: string }) => reason === 'unreachable') };
  };
  const whole = await countsOf(many, many.owner);
  for (const [by, query] of [
    [many.mona, ''],
    [many.owner, '?property=site:lyon'],
  ] as const) {
    const part = await countsOf(many, by, query);
    expect(part).toMatchObject({ count: 625, more: true });
    expect(part.rowsRead).toBeLessThanOrEqual(whole.rowsRead + 20);
  }
  expect(await countsOf(few, few.mona)).toMatchObject({ count: 188, more: false });
  expect(await countsOf(few, few.zita)).toMatchObject({ count: 0, more: false });
  const listed = async ({ id }: Study, by: Person) => {
    const { answer, rowsRead } = await measure(by, 'GET', '/investigation?include=counts');
    expect(rowsRead).toBeLessThanOrEqual(8 * sizes[0] + 100);
    return answer.body.investigations.find(({ identifier }: { identifier: string }) => identifier === id);
  };
  expect(await listed(few, few.mona)).toMatchObject({ participants: 188, attention: 188 });
  // Nobody looks at all of a larger one.
  expect(await listed(many, many.mona)).not.toHaveProperty('participants');
});

test('more combinations than one statement adds up, or walks over, are added up by the next ones', async () => {
  const study = await sleepStudy();
  const { id, owner, survey } = study;
  const arms = { name: 'arm', values: Array.from({ length: 200 }, (_, n) => `arm ${n}`) };
  await declare(study, site, arms);
  const { body } = await owner.post(`/investigation/${id}/survey`, { name: 'Weekly', items: [] });
  // Of each survey, 40 combinations of Lyon, among 3,040: more than 5,000 in all.
  for (const of of [survey, body.identifier])
    await env.DB.prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < 3039)
        insert into survey_compliance select ?1, json_object('arm', printf('arm %04d', i),
          'site', iif(i % 76 = 0, 'lyon', 'paris')), '2027-02-28', 'sent', 1, 0, 0, 0, 0 from n`,
    )
      .bind(of)
      .run();
  const cost = async (query: string) => {
    const { answer, roundTrips, rowsRead } = await measure(
      owner,
      'GET',
      `/investigation/${id}/compliance/daily?${query}`,
    );
    const dues: number[] = answer.body.days.map(({ due }: { due: number }) => due);
    return { due: dues.reduce((sum, n) => sum + n, 0), roundTrips, rowsRead };
  };
  const day = 'from=2027-02-28&to=2027-02-28';
  expect(await cost(`${day}&property=site:lyon`)).toMatchObject({ due: 80, roundTrips: 2 });
  expect(await cost(`${year}&property=site:lyon`)).toMatchObject({ due: 80, roundTrips: 6 });
  expect(await cost(`${day}&property=site:paris`)).toMatchObject({ due: 6_000 });
  expect(await cost(`${day}&property=site:lyon&survey=${survey}`)).toMatchObject({ due: 40, roundTrips: 1 });
});
