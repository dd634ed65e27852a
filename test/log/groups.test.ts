import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { hashOf } from '../support/chains.ts';
import type { Person } from '../support/people.ts';
import { lock, newResponse, type Study } from '../support/studies.ts';
import { countedApp } from '../support/worker/counters.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { readLog, seedEntries } from '../support/worker/logs.ts';
import { seedCases } from '../support/worker/seeds.ts';
import { newTrial, setProperties } from '../support/worker/trials.ts';

const nobody = '0'.repeat(32);
const path = ({ id }: Pick<Study, 'id'>) => `/investigation/${id}/activity`;

// biome-ignore lint/suspicious/noExplicitAny: entries of any shape
type Entry = any;

/** That an entry shows its position, action, time and hash, and nothing else. */
const expectNothingOf = (shown: Entry, whole: Entry, actor = whole.actor) => {
  const { identifier, investigation, position, at, action, hash } = whole;
  const { actorName } = actor === nobody ? { actorName: '' } : whole;
  expect(shown).toEqual({
    ...{ identifier, investigation, position, at, action, hash, actor, actorName },
    ...{ cases: [], responses: [], redacted: true },
  });
};

const giveCode = (study: Study, person: Person, code: string) =>
  study.owner.patch(`/investigation/${study.id}/member/${person.id}`, { code });

const exportOf = async (study: Study, by: Person): Promise<Entry[]> => {
  const { text } = await by.get(path(study), { accept: 'application/x-ndjson' });
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};

describe('a reader of Lyon', () => {
  test('is shown the items of Lyon alone, and no reason, person or details of others', async () => {
    const trial = await newTrial({ isBlinded: false });
    const { owner, responder, other, mona, lyon, paris } = trial;
    const reason = (name: string) => ({ status: 'locked', reason: name });
    const items = `/investigation/${trial.id}/lock-items`;
    const listed = (...ids: string[]) => ({ cases: ids.map((identifier) => ({ identifier })) });
    await owner.post(items, { ...listed(lyon, paris), ...reason('Both') });
    await lock(owner, trial, { cases: [lyon, paris] }, 'unlocked');
    await owner.post(items, { ...listed(paris), ...reason('Paris closes') });
    await lock(owner, trial, { cases: [paris] }, 'unlocked');
    await lock(other, trial, { cases: [paris] });
    await lock(responder, trial, { cases: [lyon] });
    await giveCode(trial, other, 'P-2');
    await giveCode(trial, responder, 'L-1');

    const whole = (await readLog(trial, owner)).slice(-8);
    const shown = (await readLog(trial, mona)).slice(-8);
    const [both, , closes, , byDana, byChidi, ofDana, ofChidi] = shown;
    expect(both).toMatchObject({ actor: owner.id, cases: [lyon], reason: 'Both', redacted: true });
    expectNothingOf(closes, whole[2]);
    expectNothingOf(byDana, whole[4], nobody);
    expect(byChidi).toEqual(whole[5]);
    expectNothingOf(ofDana, whole[6], nobody);
    expect(ofChidi).toEqual(whole[7]);
    expect(JSON.stringify(await readLog(trial, mona))).not.toMatch(
      new RegExp(`${paris}|${other.id}|Dana|Paris`),
    );
    const { codes } = (await mona.get(path(trial))).body;
    expect(codes).toEqual({ [responder.id]: 'L-1' });
  });

  test('finds nothing by what is not shown, whatever the page', async () => {
    const trial = await newTrial({ isBlinded: false });
    const { owner, responder, other, mona, lyon, paris } = trial;
    await giveCode(trial, other, 'P-2');
    await giveCode(trial, responder, 'L-1');
    await lock(owner, trial, { cases: [lyon, paris] });
    await lock(other, trial, { cases: [paris] }, 'unlocked');
    const answers = async (filter: string) => (await mona.get(`${path(trial)}?limit=1&${filter}`)).body;
    const never = await answers(`item=${'ab'.repeat(16)}`);
    expect(never.activities).toEqual([]);
    for (const filter of [`item=${paris}`, 'code=P-2', 'code=P-3'])
      expect(await answers(filter)).toEqual(never);
    for (const [filter, count] of [
      [`item=${lyon}`, 1],
      ['code=L-1', 3],
    ] as const)
      expect(await readLog(trial, mona, `&${filter}`)).toHaveLength(count);
    // Somebody who moved is seen from then on, with the cases that moved along.
    await setProperties(trial, other, { site: 'lyon' });
    const found = await readLog(trial, mona, '&code=P-2');
    expect(found.map(({ action }: Entry) => action)).toEqual([
      ...['member.added', 'member.properties-changed', 'member.code-changed', 'items.unlocked'],
      'member.properties-changed',
    ]);
  });

  test('is shown the items of an entry that are of Lyon, page by page, and none of its counts', async () => {
    const trial = await newTrial({ isBlinded: false });
    const { owner, responder, other, mona, eli, lyon, paris } = trial;
    const [calm, poor] = [await newResponse(trial, responder, lyon), await newResponse(trial, other, paris)];
    const { body } = await owner.post(`/investigation/${trial.id}/lock-matching`, {
      status: 'locked',
      filter: {},
      reason: 'All',
    });
    expect(body).toMatchObject({ cases: 2, responses: 2 });
    const list = async (by: Person) => {
      const found: string[] = [];
      for (let next = ''; ; ) {
        const url = `${path(trial)}/${body.activity}/items?limit=1${next && `&cursor=${next}`}`;
        const page = (await by.get(url)).body;
        found.push(...[...page.cases, ...page.responses].map(({ identifier }) => identifier));
        if (page.next === undefined) return found;
        next = page.next;
      }
    };
    expect(await list(owner)).toHaveLength(4);
    expect(await list(mona)).toEqual([lyon, calm]);
    expect(await list(eli)).toEqual([paris, poor]);
    const [entry] = (await readLog(trial, mona)).slice(-1);
    expect(entry).toMatchObject({ action: 'items.locked', actor: owner.id, redacted: true });
    for (const hidden of ['details', 'reason']) expect(entry).not.toHaveProperty(hidden);
    expect(await readLog(trial, mona, `&item=${lyon}`)).toHaveLength(1);
  });

  test('is shown the reason of a lock by a filter that names Lyon, and of no other, whoever locked', async () => {
    const trial = await newTrial({ isBlinded: false });
    const { owner, editor, responder, other, mona, eli, lyon, paris } = trial;
    await newResponse(trial, responder, lyon);
    await newResponse({ survey: trial.armSurvey }, responder, lyon);
    await newResponse(trial, other, lyon);
    await newResponse(trial, other, paris);
    /** The entry of a lock as both sites see it; everything is unlocked again. */
    const locked = async (by: Person, filter: object, reason = 'Lyon patient withdrew consent') => {
      const at = `/investigation/${trial.id}/lock-matching`;
      const done = await by.post(at, { status: 'locked', filter, reason });
      expect(done.body.activity, done.text).toBeDefined();
      const last = async (reader: Person): Promise<Entry> => (await readLog(trial, reader)).at(-1);
      const read = { whole: await last(owner), ofMona: await last(mona), ofEli: await last(eli) };
      await owner.post(at, { status: 'unlocked', filter: {} });
      return read;
    };
    const ofLyon = { properties: { site: ['lyon'] } };
    for (const by of [owner, editor])
      for (const filter of [
        { responder: responder.id },
        { case: lyon },
        { survey: trial.armSurvey },
        { before: '2030-01-01T00:00:00Z' },
        { properties: { site: ['lyon', 'paris'] } },
      ]) {
        const { whole, ofMona, ofEli } = await locked(by, filter);
        expect(whole.reason).toBe('Lyon patient withdrew consent');
        for (const shown of [ofMona, ofEli]) expectNothingOf(shown, whole);
      }
    for (const filter of [ofLyon, { ...ofLyon, case: lyon }, { ...ofLyon, responder: responder.id }]) {
      const { whole, ofMona, ofEli } = await locked(owner, filter, 'Visit 3 is over');
      expect(ofMona).toMatchObject({ actor: owner.id, reason: 'Visit 3 is over', redacted: true });
      expectNothingOf(ofEli, whole);
    }
    // Dana of Paris answered for a case of Lyon.
    const ofDana = await locked(owner, { ...ofLyon, responder: other.id }, 'Dana left');
    for (const shown of [ofDana.ofMona, ofDana.ofEli]) expectNothingOf(shown, ofDana.whole);
    const own = await locked(eli, { case: paris }, 'Checked');
    expect(own.ofEli).toMatchObject({ actor: eli.id, reason: 'Checked' });
    expectNothingOf(own.ofMona, own.whole);
    const byDana = await locked(other, {}, 'I am through');
    for (const shown of [byDana.ofMona, byDana.ofEli]) expectNothingOf(shown, byDana.whole, nobody);
  });

  test('finds the few of a large lock that are of Lyon, five thousand looked at a page', async () => {
    const trial = await newTrial({ isBlinded: false });
    const { id, owner, mona } = trial;
    await seedCases(trial, 12_000);
    await env.DB.prepare(
      `update study_case set properties = '{"site":["lyon"]}' where investigation_id = ? and rowid % 1500 = 7`,
    )
      .bind(id)
      .run();
    const { body } = await owner.post(`/investigation/${id}/lock-matching`, { status: 'locked', filter: {} });
    const { results } = await env.DB.prepare(
      `select id from study_case where investigation_id = ? and properties ->> '$.site[0]' = 'lyon' order by id`,
    )
      .bind(id)
      .all<{ id: string }>();
    const lyon = results.map((row) => row.id);
    const { measure } = countedApp();
    const found: string[] = [];
    const places: string[] = [];
    for (let next = ''; ; ) {
      const url = `${path(trial)}/${body.activity}/items${next && `?cursor=${next}`}`;
      const { answer, ...cost } = await measure(mona, 'GET', url);
      expect(answer.status, answer.text).toBe(200);
      expect(cost).toMatchObject({ roundTrips: 3, rowsWritten: 0 });
      expect(cost.rowsRead).toBeLessThanOrEqual(4 * 5_000 + 50);
      found.push(...answer.body.cases.map(({ identifier }: { identifier: string }) => identifier));
      if (answer.body.next === undefined) break;
      next = answer.body.next;
      places.push(atob(next));
    }
    expect(found).toEqual(lyon);
    expect(found.length).toBeGreaterThanOrEqual(8);
    expect(places.length).toBeGreaterThanOrEqual(2);
    // A place is no identifier of anything.
    const all = (await owner.get(`${path(trial)}/${body.activity}/items?limit=1000`)).body.cases;
    for (const place of places) for (const { identifier } of all) expect(place).not.toContain(identifier);
  });

  test('sees no number of rows that somebody downloaded, nor a change of members of other sites', async () => {
    const trial = await newTrial({ isBlinded: false });
    const { owner, responder, other, mona } = trial;
    await owner.get(`/investigation/${trial.id}/cases`, { accept: 'text/csv' });
    const dates = (user: string) => ({ user, participation: { until: '2027-05-01' } });
    await owner.post(`/investigation/${trial.id}/members/dates`, {
      members: [dates(responder.id), dates(other.id)],
    });
    await owner.post(`/investigation/${trial.id}/members/dates`, {
      members: [{ user: other.id, participation: { until: '2027-05-02' } }],
    });
    const whole = (await readLog(trial, owner)).slice(-3);
    const [downloaded, both, dana] = (await readLog(trial, mona)).slice(-3);
    expectNothingOf(downloaded, whole[0]);
    expect(both).toMatchObject({ actor: owner.id, details: { members: [{ member: responder.id }] } });
    expect(both.details.members).toHaveLength(1);
    expect(both.details).not.toHaveProperty('salt');
    expectNothingOf(dana, whole[2], nobody);
    expect(whole[0].details).toMatchObject({ count: 2, salt: expect.stringMatching(/^[0-9a-f]{32}$/) });
  });

  test('exports a log whose chain still holds, and is told by the service that it is whole', async () => {
    const trial = await newTrial({ isBlinded: false });
    await lock(trial.owner, trial, { cases: [trial.paris] });
    await lock(trial.owner, trial, { cases: [trial.lyon] });
    const entries = await exportOf(trial, trial.mona);
    expect(entries.map(({ position }) => position)).toEqual(entries.map((_, n) => n + 1));
    expect(entries.filter(({ redacted }) => redacted).length).toBeGreaterThanOrEqual(2);
    let previous = '0'.repeat(64);
    for (const { hash, actorName: _, ...entry } of entries) {
      const computed = await hashOf(previous, entry);
      if (entry.redacted) expect(computed).not.toBe(hash);
      else expect(computed).toBe(hash);
      previous = hash;
    }
    const head = (await trial.mona.get(`${path(trial)}/verify`)).body;
    expect(head).toEqual({ valid: true, entries: entries.length, head: previous });
    const listed = await readLog(trial, trial.mona);
    expect(entries).toEqual(listed);
  });

  test('reviews no log, while an editor who sees all of it does', async () => {
    const trial = await newTrial({ isBlinded: false });
    const review = (by: Person) => by.post(`${path(trial)}/review`, { to: 2, comment: 'Seen' });
    await changingNothing(async () => expectProblem(await review(trial.eli), 'action.forbidden'));
    expect((await review(trial.editor)).status).toBe(200);
  });

  test('finds out nothing of an entry by guessing what its hash covers', async () => {
    const trial = await newTrial({ isBlinded: false });
    const { owner, other, mona } = trial;
    // Mona knows Dana, who was of Lyon, and guesses her dates of Paris.
    await owner.post(`/investigation/${trial.id}/members/dates`, {
      members: [{ user: other.id, participation: { until: '2027-05-02' } }],
    });
    const [before, whole] = (await readLog(trial, owner)).slice(-2);
    const [shown] = (await readLog(trial, mona)).slice(-1);
    const { hash, actorName: _, redacted: __, ...part } = shown;
    const { salt, ...details } = whole.details;
    const guess = { ...part, actor: owner.id, details };
    expect(await hashOf(before.hash, guess)).not.toBe(hash);
    expect(await hashOf(before.hash, { ...guess, details: { ...details, salt } })).toBe(hash);
  });
});

describe('a reader who does not know the arms', () => {
  const changed = (member: string, before: object, after: object) => ({
    action: 'member.properties-changed' as const,
    details: { member, before: { properties: before }, after: { properties: after } },
  });

  test('is shown no arm, no survey of an arm and no person by whom an arm could be told', async () => {
    const trial = await newTrial();
    const { owner, editor, other, armSurvey, paris } = trial;
    const answer = await newResponse({ survey: armSurvey }, other, paris);
    await owner.patch(`/survey/${armSurvey}`, { name: 'Evening of the second group' });
    await lock(other, trial, { responses: [answer] });
    await lock(owner, trial, { responses: [answer] }, 'unlocked');
    await lock(other, trial, { cases: [paris], responses: [answer] });
    await seedEntries(
      trial,
      3,
      (n) =>
        [
          changed(other.id, { arm: null }, { arm: 'b' }),
          changed(other.id, { arm: 'b', site: 'lyon' }, { arm: 'a', site: 'paris' }),
          {
            action: 'member.properties-changed' as const,
            details: {
              members: [
                {
                  member: other.id,
                  before: { properties: { arm: null } },
                  after: { properties: { arm: 'b' } },
                },
              ],
            },
          },
        ][n] ?? {},
    );
    const whole = (await readLog(trial, owner)).slice(-7);
    const shown = (await readLog(trial, editor)).slice(-7);
    expectNothingOf(shown[0], whole[0]);
    expectNothingOf(shown[1], whole[1], nobody);
    expectNothingOf(shown[2], whole[2]);
    expect(shown[3]).toMatchObject({ actor: other.id, cases: [paris], responses: [] });
    expectNothingOf(shown[4], whole[4]);
    expect(shown[5].details).toEqual({
      member: other.id,
      before: { properties: { site: 'lyon' } },
      after: { properties: { site: 'paris' } },
    });
    expectNothingOf(shown[6], whole[6]);

    const all = JSON.stringify([await readLog(trial, editor), await exportOf(trial, editor)]);
    expect(all).not.toMatch(new RegExp(`${armSurvey}|${answer}|salt|"arm"|Evening|Visit 3`));
    // Every entry is shown as one with less, so that none tells by its hash that it has more.
    expect((await readLog(trial, editor)).every(({ redacted }: Entry) => redacted === true)).toBe(true);
    expect((await readLog(trial, owner)).some(({ redacted }: Entry) => redacted)).toBe(false);
    expect((await editor.get(`${path(trial)}/verify`)).body.valid).toBe(true);
  });

  test('is shown no reason of a lock of one person, nor of a survey of an arm', async () => {
    const trial = await newTrial();
    const { owner, editor, responder, other, armSurvey, lyon, paris } = trial;
    await newResponse({ survey: armSurvey }, other, paris);
    await newResponse(trial, responder, lyon);
    const lock = async (by: Person, filter: object) => {
      const body = { status: 'locked', filter, reason: 'Stopped the drug' };
      const done = await by.post(`/investigation/${trial.id}/lock-matching`, body);
      expect(done.body.activity, done.text).toBeDefined();
      const [whole] = (await readLog(trial, owner)).slice(-1);
      const [shown] = (await readLog(trial, editor)).slice(-1);
      await owner.post(`/investigation/${trial.id}/lock-matching`, { status: 'unlocked', filter: {} });
      return { whole, shown };
    };
    // Dana's only answer is to the survey of her arm.
    for (const filter of [
      { responder: other.id },
      { case: paris, kinds: ['responses'] },
      { survey: armSurvey },
      { properties: { arm: ['b'] } },
    ]) {
      const { whole, shown } = await lock(owner, filter);
      expect(whole.reason).toBe('Stopped the drug');
      expectNothingOf(shown, whole);
    }
    for (const [by, filter] of [
      [editor, { responder: responder.id }],
      [owner, { survey: trial.survey }],
      [trial.mona, { responder: responder.id }],
    ] as const)
      expect((await lock(by, filter)).shown).toMatchObject({ actor: by.id, reason: 'Stopped the drug' });
  });

  test('is shown the declaration of properties without the arms', async () => {
    const { owner, editor, ...trial } = await newTrial();
    const [entry] = await readLog(trial, editor, '&action=study.changed');
    expect(entry.details).toEqual({
      before: { properties: [] },
      after: { properties: [{ name: 'site', values: ['lyon', 'paris'] }] },
    });
    const declared = await readLog(trial, owner, '&action=study.changed');
    expect(declared[0].details.after.properties[1]).toMatchObject({ name: 'arm', blinded: true });
    expect(declared[0].details.salt).toMatch(/^[0-9a-f]{32}$/);
  });

  test('finds nobody by an entry that is shown without its person', async () => {
    const trial = await newTrial();
    const { owner, editor, other, armSurvey, paris } = trial;
    await giveCode(trial, other, 'P-2');
    const answer = await newResponse({ survey: armSurvey }, other, paris);
    const before = (await readLog(trial, editor, '&code=P-2')).length;
    await lock(other, trial, { responses: [answer] });
    await seedEntries(trial, 1, () => changed(other.id, { arm: null }, { arm: 'b' }));
    // The entry says that a property changed, so that its dates are not shown either.
    await owner.patch(`/investigation/${trial.id}/member/${other.id}`, {
      participation: { until: '2027-05-01' },
      properties: { arm: 'a' },
    });
    expect((await readLog(trial, editor)).at(-1)).not.toHaveProperty('details');
    expect(await readLog(trial, owner, '&code=P-2')).toHaveLength(before + 3);
    expect(await readLog(trial, editor, '&code=P-2')).toHaveLength(before);
    expect(await readLog(trial, editor, `&item=${answer}`)).toEqual([]);
    expect(await readLog(trial, owner, `&item=${answer}`)).toHaveLength(1);
    const { activities, codes } = (await editor.get(`${path(trial)}?limit=2`)).body;
    expect(activities).toHaveLength(2);
    expect(codes).toBeUndefined();
  });

  test('computes the hash of a change of an arm for neither of them', async () => {
    const trial = await newTrial();
    const { owner, editor, other } = trial;
    await seedEntries(trial, 1, () => changed(other.id, { arm: null }, { arm: 'b' }));
    const [{ hash: previous }, whole] = (await readLog(trial, owner)).slice(-2);
    const [shown] = (await readLog(trial, editor)).slice(-1);
    const { hash, actorName: _, redacted: __, ...part } = shown;
    expect(hash).toBe(whole.hash);
    const { salt, ...details } = whole.details;
    for (const arm of ['a', 'b'])
      for (const rest of [
        { after: { properties: { arm } } },
        { after: { properties: { arm, site: 'paris' } } },
      ])
        expect(await hashOf(previous, { ...part, details: { ...details, ...rest } })).not.toBe(hash);
    // The owner has the salt, and nothing else is missing.
    expect(await hashOf(previous, { ...part, details: { ...details, salt } })).toBe(hash);
    // Nobody guesses 128 bits, and no two entries have the same.
    const salts = (await readLog(trial, owner)).flatMap(({ details }: Entry) => details?.salt ?? []);
    expect(new Set(salts).size).toBe(salts.length);
    for (const one of salts) expect(one).toMatch(/^[0-9a-f]{32}$/);
  });
});

test('readers of the whole study are shown all of it, at the cost of before', async () => {
  const trial = await newTrial({ isBlinded: false });
  await lock(trial.owner, trial, { cases: [trial.lyon, trial.paris] });
  const isScope = ({ action }: Entry) => action === 'member.scope-changed';
  const [whole, shown] = [await readLog(trial, trial.owner), await readLog(trial, trial.editor)];
  expect(shown.filter((entry: Entry) => !isScope(entry))).toEqual(
    whole.filter((entry: Entry) => !isScope(entry)),
  );
  // A scope is shown to owners, and to the person who has it.
  expect(shown.find(isScope)).toMatchObject({ details: { member: trial.mona.id }, redacted: true });
  expect(shown.find(isScope).details).toEqual({ member: trial.mona.id });
  const [own] = await readLog(trial, trial.mona, '&action=member.scope-changed');
  expect(own.details).toMatchObject({ member: trial.mona.id, after: { scope: { site: ['lyon'] } } });
  const { measure } = countedApp();
  await seedEntries(trial, 50);
  for (const [person, roundTrips, more] of [
    [trial.owner, 1, 0],
    [trial.editor, 1, 2],
    [trial.mona, 2, 20],
  ] as const) {
    const { answer, ...cost } = await measure(person, 'GET', `${path(trial)}?limit=20`);
    expect(answer.body.activities).toHaveLength(20);
    expect(cost, person.name).toMatchObject({ roundTrips, rowsWritten: 0 });
    expect(cost.rowsRead, person.name).toBeLessThanOrEqual(2 * 21 + 10 + more);
  }
});
