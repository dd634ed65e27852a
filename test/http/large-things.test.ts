import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { linesOf, linkedPages } from '../support/lists.ts';
import type { Answer } from '../support/people.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { readLog } from '../support/worker/logs.ts';
import { sleepStudy } from '../support/worker/world.ts';

/* Things that are longer than a page stop nothing: each comes on a page, and what follows comes behind it. */

/** Characters of the long things. A row of D1 has two million bytes at most. */
const long = 1_300_000;
const text = `hex(zeroblob(${long / 2}))`;
/** A page holds about a million, and one thing beyond that. */
const most = 1_000_000 + long;

let study: Study;
let path: string;
let given: string[];

beforeAll(async () => {
  study = await sleepStudy();
  path = `/investigation/${study.id}`;
  given = [];
  for (let n = 0; n < 4; n++)
    given.push(
      await newResponse(study, study.responder, await newCase(study, study.responder, `Night ${n}`)),
    );
  const surveys = [study.survey];
  for (const name of ['Morning', 'Evening'])
    surveys.push(
      (await study.owner.post(`${path}/survey`, { name, items: [{ identifier: 'q', label: name }] })).body
        .identifier,
    );
  // The second and the third of each: one stands behind a short one, one behind a long one.
  const items = `json_object('q1', ${text})`;
  const labels = `(with recursive counter(n) as (select 1 union all select n + 1 from counter where n < 499)
    select json_group_array(json_object('identifier', 'q' || n, 'label', hex(zeroblob(1000)))) from counter)`;
  for (const name of ['Sleep 1', 'Sleep 2']) await study.owner.patch(path, { name });
  await env.DB.batch([
    ...given
      .slice(1, 3)
      .flatMap((id) => [
        env.DB.prepare(`update response set items = ${items} where id = ?`).bind(id),
        env.DB.prepare(`update response_revision set items = ${items} where response_id = ?`).bind(id),
      ]),
    ...surveys
      .slice(0, 2)
      .map((id) => env.DB.prepare(`update survey set items = ${labels} where id = ?`).bind(id)),
    env.DB.prepare('update investigation set largest_response = ? where id = ?').bind(long, study.id),
    env.DB.prepare(
      `update activity set details = json_object('after', ${text}) where investigation_id = ? 
        and action = 'study.changed'`,
    ).bind(study.id),
  ]);
});

async function pagesOf(url: string, by = study.owner) {
  const pages: Answer[] = [];
  for await (const page of linkedPages(by, url)) {
    expect(page.status).toBe(200);
    expect(page.text.length).toBeLessThan(most);
    pages.push(page);
    expect(pages.length).toBeLessThan(50);
  }
  return pages;
}

test('the feed goes on behind them', async () => {
  const found: string[] = [];
  let pages = 0;
  for (let [after, latest] = [0, 1]; after < latest; pages++) {
    const { status, body, text } = await study.owner.get(`${path}/changes?include=body&after=${after}`);
    expect([status, body.next > after]).toEqual([200, true]);
    expect(text.length).toBeLessThan(most);
    found.push(...body.changes.map(({ identifier }: { identifier: string }) => identifier));
    ({ next: after, latest } = body);
  }
  expect(pages).toBeGreaterThan(3);
  for (const id of given) expect(found).toContain(id);
  expect(new Set(found).size).toBe(found.length);
});

test.each(['responses', 'surveys'])('the list of %s has all of them, whole and in pages', async (list) => {
  for (const by of [study.owner, study.responder]) {
    const whole = (await by.get(`${path}/${list}`)).body[list];
    expect(whole).toHaveLength(list === 'surveys' ? 3 : given.length);
    for (const limit of [2, 1000]) {
      const pages = await pagesOf(`${path}/${list}?limit=${limit}`, by);
      expect(pages.flatMap(({ body }) => body[list])).toEqual(whole);
    }
  }
});

test('the CSV has all responses', async () => {
  const { text } = await study.owner.get(`${path}/responses`, { accept: 'text/csv' });
  expect(text.split('\r\n')).toHaveLength(given.length + 2);
});

test('the revisions of a response, and the export of a person', async () => {
  for (const id of given) {
    const pages = await pagesOf(`/response/${id}/revisions`);
    expect(pages.flatMap(({ body }) => body.revisions)).toHaveLength(1);
  }
  const { text } = await study.responder.get('/user/me/export');
  const kinds = linesOf(text).map(({ kind }) => kind);
  for (const kind of ['response', 'revision'])
    expect(kinds.filter((one) => one === kind)).toHaveLength(given.length);
  expect(kinds).toContain('membership-change');
});

test('the log, by page and as a whole', async () => {
  const entries = await readLog(study, study.owner);
  const { text } = await study.owner.get(`${path}/activity`, { accept: 'application/x-ndjson' });
  // With the entry of this download.
  expect(text.trim().split('\n')).toHaveLength(entries.length + 1);
});

test('a page is bounded in bytes whatever it lists: members, invitations, studies and codes', async () => {
  const name = '\u{1F9EA}'.repeat(200);
  const { owner } = await sleepStudy();
  const big = (await owner.post('/investigation', { name: 'Names' })).body.identifier;
  const numbers = 'with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ?1)';
  await env.DB.batch([
    env.DB.prepare(
      `${numbers} insert into user (id, issuer, subject, name, created_at)
        select printf('aaaa%028x', n), 'i', 's' || n, ?2, n from counter`,
    ).bind(1_500, name),
    env.DB.prepare(
      `${numbers} insert into member (investigation_id, user_id, role, created_at)
        select ?2, printf('aaaa%028x', n), 'responder', n from counter`,
    ).bind(1_500, big),
  ]);
  const pages = await pagesOf(`/investigation/${big}/members?limit=1000`, owner);
  expect(pages.flatMap(({ body }) => body.members)).toHaveLength(1_501);
  for (const { text } of pages) expect(text.length).toBeLessThan(1_100_000);
});
