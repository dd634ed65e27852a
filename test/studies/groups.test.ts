import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { allPages, keyIn } from '../support/lists.ts';
import { enrol, participantOf } from '../support/participants.ts';
import { created, type Person } from '../support/people.ts';
import { newCase, newMember, type Study } from '../support/studies.ts';
import { addMembers, bulkMember } from '../support/worker/bulk.ts';
import { later, setClock, startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { daily, dueAt, pendingOf, scheduled } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy, stranger, world } from '../support/worker/world.ts';

const path = ({ id }: Pick<Study, 'id'>) => `/investigation/${id}`;

const site = { name: 'site', values: ['lyon', 'paris', 'nice'] };
const arm = { name: 'arm', values: ['a', 'b'], blinded: true };
const ward = { name: 'ward', values: ['1', '2'] };

interface Trial extends Study {
  /** An editor who sees Lyon only. */
  lea: Person;
  /** A monitor who sees Lyon only. */
  marc: Person;
}

/** Ada owns it, and Bruno edits all of it; Chidi takes part in Lyon, and Dana in Paris. */
async function trial(): Promise<Trial> {
  setClock(startOfTests);
  const study = await sleepStudy();
  const { owner, responder: chidi, other: dana } = study;
  const declared = await owner.patch(path(study), { properties: [site, arm, ward] });
  expect(declared.status, declared.text).toBe(200);
  await change(study, chidi, { properties: { site: 'lyon', arm: 'a' } });
  await change(study, dana, { properties: { site: 'paris', arm: 'b' } });
  const lea = await newMember(world, study, 'Léa', 'editor');
  const marc = await newMember(world, study, 'Marc', 'monitor');
  for (const one of [lea, marc]) await change(study, one, { scope: { site: ['lyon'] } });
  return { ...study, lea, marc };
}

async function change(study: Study, person: Person, body: object, by = study.owner) {
  const answer = await by.patch(`${path(study)}/member/${person.id}`, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const dryRun = (study: Study, { id: user }: Person, value: string) =>
  study.owner.post(`${path(study)}/members/dates`, {
    members: [{ user, properties: { site: value } }],
    dryRun: true,
  });
const membersFor = async (study: Study, by: Person, query = '') =>
  (await by.get(`${path(study)}/members${query}`)).body.members;
const seenBy = async (study: Study, by: Person, of: Person) =>
  (await membersFor(study, by)).find(({ identifier }: { identifier: string }) => identifier === of.id);
const newest = async (study: Study) => (await study.owner.get(`${path(study)}/activity`)).body.activities[0];

describe('the properties of a member', () => {
  test('are set and taken away by name, with an entry in the log', async () => {
    const study = await trial();
    const { responder: chidi } = study;
    expect(await change(study, chidi, { properties: { site: 'nice', ward: '1' } })).toMatchObject({
      identifier: chidi.id,
      properties: { arm: 'a', site: 'nice', ward: '1' },
    });
    expect(await newest(study)).toMatchObject({
      action: 'member.properties-changed',
      details: {
        member: chidi.id,
        before: { properties: { site: 'lyon', ward: null } },
        after: { properties: { site: 'nice', ward: '1' } },
      },
    });
    await change(study, chidi, { properties: { site: null, arm: null, ward: null } });
    expect(await seenBy(study, study.owner, chidi)).not.toHaveProperty('properties');
    await changingNothing(() => change(study, chidi, { properties: { site: null } }));
  });

  test('entries are salted, each otherwise', async () => {
    const study = await trial();
    const { responder: chidi } = study;
    const salts = [];
    for (const value of ['b', 'a']) {
      await change(study, chidi, { properties: { arm: value } });
      salts.push((await newest(study)).details.salt);
    }
    for (const salt of salts) expect(salt).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(salts).size).toBe(2);
  });

  test('blinded ones are owners’ alone: for Bruno there is no such property', async () => {
    const study = await trial();
    const { owner, editor: bruno, responder: chidi } = study;
    expect(await seenBy(study, owner, chidi)).toMatchObject({ properties: { site: 'lyon', arm: 'a' } });
    expect((await seenBy(study, bruno, chidi)).properties).toEqual({ site: 'lyon' });
    const details = await bruno.get(`${path(study)}/member/${chidi.id}`);
    expect(details.body.properties).toEqual({ site: 'lyon' });
    const body = (name: string) => ({ properties: { [name]: 'a' } });
    const refused = async (name: string) => {
      const answer = await bruno.patch(`${path(study)}/member/${chidi.id}`, body(name));
      expectProblem(answer, 'request.invalid', [`/properties/${name}`]);
      return answer.body.detail;
    };
    expect(await refused('arm')).toBe(await refused('other'));
    expect((await change(study, chidi, { properties: { ward: '2' } }, bruno)).properties).toEqual({
      site: 'lyon',
      ward: '2',
    });
    const filtered = async (name: string) => {
      const answer = await bruno.get(`${path(study)}/members?property=${name}:a`);
      expectProblem(answer, 'request.invalid');
      return answer.body.detail;
    };
    expect(await filtered('arm')).toBe(await filtered('other'));
    expect(await membersFor(study, owner, '?property=arm:a')).toMatchObject([{ identifier: chidi.id }]);
  });

  test('responders see none, their own neither', async () => {
    const study = await trial();
    const { responder: chidi } = study;
    for (const member of await membersFor(study, chidi))
      for (const field of ['properties', 'scope']) expect(member).not.toHaveProperty(field);
    expectProblem(await chidi.get(`${path(study)}/members?property=site:lyon`), 'action.forbidden');
  });

  test('filter the list: values of one name are alternatives, names hold together', async () => {
    const study = await trial();
    const { editor: bruno, responder: chidi, other: dana } = study;
    await change(study, dana, { properties: { ward: '1' } });
    const found = async (query: string) =>
      (await membersFor(study, bruno, query)).map(({ identifier }: { identifier: string }) => identifier);
    expect(await found('?property=site:lyon')).toEqual([chidi.id]);
    expect(await found('?property=site:lyon&property=site:paris')).toEqual([chidi.id, dana.id].sort());
    expect(await found('?property=site:lyon&property=ward:1')).toEqual([]);
    expect(await found('?property=site:paris&property=ward:1')).toEqual([dana.id]);
    expectProblem(await bruno.get(`${path(study)}/members?property=site:rome`), 'request.invalid');
    expectProblem(await bruno.get(`${path(study)}/members?property=site`), 'request.invalid');
  });

  test('come back with somebody who comes back, unless others are given', async () => {
    const study = await trial();
    const { owner, responder: chidi } = study;
    const member = `${path(study)}/member`;
    await owner.delete(`${member}/${chidi.id}`);
    const again = await owner.post(member, { user: chidi.id, role: 'responder' });
    expect(created(again).properties).toEqual({ site: 'lyon', arm: 'a' });
    expect(await newest(study)).toMatchObject({
      action: 'member.added',
      details: {
        after: { role: 'responder', properties: { site: 'lyon', arm: 'a' } },
        salt: expect.any(String),
      },
    });
    await owner.delete(`${member}/${chidi.id}`);
    const other = { user: chidi.id, role: 'responder', properties: { site: 'paris' } };
    expect(created(await owner.post(member, other)).properties).toEqual({ site: 'paris' });
    expect((await owner.post(member, other)).status).toBe(200);
    expectProblem(await owner.post(member, { ...other, properties: { site: 'lyon' } }), 'member.exists');
    await owner.delete(`${member}/${chidi.id}`);
    await owner.post(member, { email: chidi.email, role: 'responder' });
    await chidi.post(`/user/me/invitations/${study.id}/accept`);
    expect((await seenBy(study, owner, chidi)).properties).toEqual({ site: 'paris' });
  });

  test('of many are changed at once, in one entry', async () => {
    const study = await trial();
    const { editor: bruno, owner, responder: chidi, other: dana } = study;
    const both = [chidi, dana].map(({ id }) => ({ user: id, properties: { ward: '1' } }));
    const answer = await bruno.post(`${path(study)}/members/dates`, { members: both });
    expect(answer.body).toMatchObject({ changed: 2 });
    expect(await newest(study)).toMatchObject({
      action: 'member.properties-changed',
      details: { members: expect.arrayContaining([expect.objectContaining({ member: chidi.id })]) },
    });
    expect((await seenBy(study, owner, dana)).properties).toEqual({ site: 'paris', arm: 'b', ward: '1' });
    const wrong = [{ user: chidi.id, properties: { arm: 'b' } }];
    expectProblem(await bruno.post(`${path(study)}/members/dates`, { members: wrong }), 'request.invalid', [
      '/members/0/properties/arm',
    ]);
  });
});

describe('a scope', () => {
  test('is given by owners, to editors and monitors, by properties that all of them see', async () => {
    const study = await trial();
    const { owner, editor: bruno, responder: chidi, lea } = study;
    const member = (of: Person) => `${path(study)}/member/${of.id}`;
    expectProblem(await bruno.patch(member(lea), { scope: null }), 'action.forbidden');
    expectProblem(await owner.patch(member(chidi), { scope: { site: ['lyon'] } }), 'request.invalid', [
      '/scope',
    ]);
    expectProblem(await owner.patch(member(bruno), { scope: { arm: ['a'] } }), 'request.invalid', [
      '/scope/arm',
    ]);
    expectProblem(await owner.patch(member(bruno), { scope: {} }), 'request.invalid', ['/scope']);
    expect(await change(study, bruno, { scope: { site: ['lyon', 'nice'] } })).toMatchObject({
      scope: { site: ['lyon', 'nice'] },
    });
    expect(await newest(study)).toMatchObject({
      action: 'member.scope-changed',
      details: { member: bruno.id, before: { scope: null }, after: { scope: { site: ['lyon', 'nice'] } } },
    });
    expect(await seenBy(study, bruno, bruno)).toMatchObject({ scope: { site: ['lyon', 'nice'] } });
    expect(await seenBy(study, bruno, lea)).not.toHaveProperty('scope');
    expect(await change(study, bruno, { scope: null })).not.toHaveProperty('scope');
  });

  test('ends with the role', async () => {
    const study = await trial();
    const { lea, marc } = study;
    expect(await change(study, lea, { role: 'monitor' })).toMatchObject({ scope: { site: ['lyon'] } });
    expect(await change(study, lea, { role: 'responder' })).not.toHaveProperty('scope');
    expect(await newest(study)).toMatchObject({
      action: 'member.role-changed',
      details: { before: { scope: { site: ['lyon'] } }, after: { scope: null } },
    });
    expect(await change(study, marc, { role: 'editor', scope: { site: ['paris'] } })).toMatchObject({
      role: 'editor',
      scope: { site: ['paris'] },
    });
    expect(await change(study, lea, { role: 'editor' })).not.toHaveProperty('scope');
  });

  test('shows the participants within it, and of the staff a name and a role', async () => {
    const study = await trial();
    const { owner, editor: bruno, responder: chidi, other: dana, lea, marc } = study;
    await change(study, bruno, { code: 'B-1', properties: { site: 'paris' } });
    for (const by of [lea, marc]) {
      const members = await membersFor(study, by);
      expect(members.map(({ name }: { name: string }) => name).sort()).toEqual([
        'Ada',
        'Bruno',
        'Chidi',
        'Léa',
        'Marc',
      ]);
      const shown = members.find(({ identifier }: { identifier: string }) => identifier === bruno.id);
      expect(Object.keys(shown).sort()).toEqual(['avatar', 'identifier', 'name', 'role', 'user']);
      expect(await membersFor(study, by, '?property=site:paris')).toEqual([]);
      expect(await membersFor(study, by, '?code=B-1')).toHaveLength(1);
      expect((await by.get(`${path(study)}/member/${chidi.id}`)).status).toBe(200);
      for (const out of [dana, bruno, owner])
        expectProblem(await by.get(`${path(study)}/member/${out.id}`), 'resource.not-found');
    }
    await change(study, dana, { properties: { site: 'lyon' } });
    expect(await membersFor(study, lea, '?role=responder')).toHaveLength(2);
  });

  test('bounds an editor’s changes of members', async () => {
    const study = await trial();
    const { editor: bruno, responder: chidi, other: dana, lea } = study;
    const member = (of: Person) => `${path(study)}/member/${of.id}`;
    expectProblem(
      await changingNothing(() => lea.patch(member(dana), { code: 'P-1' })),
      'resource.not-found',
    );
    expectProblem(await lea.patch(member(bruno), { code: 'P-1' }), 'action.forbidden');
    expect(await change(study, chidi, { code: 'P-1', properties: { ward: '1' } }, lea)).toMatchObject({
      code: 'P-1',
      properties: { site: 'lyon', ward: '1' },
    });
    expectProblem(await lea.patch(member(chidi), { properties: { site: 'paris' } }), 'action.forbidden');
    expectProblem(await lea.patch(member(chidi), { properties: { site: null } }), 'action.forbidden');
    // As it is: nothing to refuse.
    await change(study, chidi, { properties: { site: 'lyon' } }, lea);
    const bulk = (of: Person) => ({ members: [{ user: of.id, properties: { ward: '2' } }] });
    expectProblem(await lea.post(`${path(study)}/members/dates`, bulk(dana)), 'items.not-found');
    expectProblem(
      await lea.post(`${path(study)}/members/dates`, { ...bulk(dana), dryRun: true }),
      'items.not-found',
    );
    expect((await lea.post(`${path(study)}/members/dates`, bulk(chidi))).body).toMatchObject({ changed: 1 });
    expect((await lea.delete(member(lea))).status).toBe(204);
  });
});

describe('the cases of a participant', () => {
  const regrouped = async ({ id }: Study) =>
    (await env.DB.prepare('select regrouped from investigation where id = ?')
      .bind(id)
      .first<number>('regrouped')) ?? 0;
  const caseFor = async (by: Person, identifier: string) => (await by.get(`/case/${identifier}`)).status;

  test('move along with their properties, and copies of parts begin again', async () => {
    const study = await trial();
    const { lea, marc } = study;
    const zoe = await newMember(world, study, 'Zoé', 'responder');
    const night = await newCase(study, zoe);
    const before = await regrouped(study);
    expect(await caseFor(lea, night)).toBe(404);
    await change(study, zoe, { properties: { ward: '1' } });
    expect(await caseFor(lea, night)).toBe(404);
    await change(study, zoe, { properties: { site: 'lyon' } });
    expect(await caseFor(lea, night)).toBe(200);
    const { next } = (await study.owner.get(`${path(study)}/changes?after=0`)).body;
    expect(await regrouped(study)).toBeGreaterThan(before);
    expect(await regrouped(study)).toBe(Number(next));
    await change(study, zoe, { properties: { site: 'paris' } });
    expect(await caseFor(lea, night)).toBe(404);
    expect(await caseFor(marc, night)).toBe(404);
    await change(study, zoe, { properties: { site: 'lyon' } });
    expect(await caseFor(lea, night)).toBe(200);
    // Those of staff stay: they are about others.
    const made = await newCase(study, study.editor);
    await change(study, study.editor, { properties: { site: 'lyon' } });
    expect(await caseFor(lea, made)).toBe(404);
  });

  test('people without any move nobody’s copy', async () => {
    const study = await trial();
    const zoe = await newMember(world, study, 'Zoé', 'responder');
    const before = await regrouped(study);
    await change(study, zoe, { properties: { site: 'nice' } });
    expect(await regrouped(study)).toBe(before);
    await change(study, study.marc, { scope: { site: ['nice'] } });
    expect(await regrouped(study)).toBeGreaterThan(before);
  });

  test('come along with somebody who comes back to another part', async () => {
    const study = await trial();
    const zoe = await newMember(world, study, 'Zoé', 'responder');
    const night = await newCase(study, zoe);
    await study.owner.delete(`${path(study)}/member/${zoe.id}`);
    const again = { user: zoe.id, role: 'responder', properties: { site: 'lyon' } };
    created(await study.owner.post(`${path(study)}/member`, again));
    expect(await caseFor(study.lea, night)).toBe(200);
  });

  test('move along again once staff have given them back the values of their person', async () => {
    const study = await trial();
    const { owner, responder: chidi } = study;
    const [back, away] = [await newCase(study, chidi), await newCase(study, chidi)];
    const set = async (of: string, given: string) =>
      expect((await owner.patch(`/case/${of}`, { properties: { site: given } })).status).toBe(200);
    later(60_000);
    for (const one of [back, away]) await set(one, 'paris');
    later(60_000);
    await set(back, 'lyon');
    await change(study, chidi, { properties: { site: 'nice' } });
    expect((await owner.get(`/case/${back}`)).body.properties).toEqual({ arm: 'a', site: 'nice' });
    expect((await owner.get(`/case/${away}`)).body.properties).toEqual({ arm: 'a', site: 'paris' });
  });

  test('not in a frozen study, which refuses the change', async () => {
    const study = await trial();
    const { owner, other: dana } = study;
    const zoe = await newMember(world, study, 'Zoé', 'responder');
    await newCase(study, zoe);
    expect(
      (await owner.post(`${path(study)}/freeze`, { status: 'frozen', reason: 'Locked' })).status,
    ).toBeLessThan(300);
    const moved = await owner.patch(`${path(study)}/member/${zoe.id}`, { properties: { site: 'nice' } });
    expectProblem(moved, 'study.frozen');
    expectProblem(await dryRun(study, zoe, 'nice'), 'study.frozen');
    expect((await dryRun(study, dana, 'nice')).status).toBe(200);
    await change(study, dana, { properties: { site: 'nice' } });
  });

  test('neither out of a frozen group nor into one, which a dry run says before', async () => {
    const study = await trial();
    const zoe = await newMember(world, study, 'Zoé', 'responder');
    await change(study, zoe, { properties: { site: 'nice' } });
    await newCase(study, zoe);
    const freeze = (...values: string[]) =>
      study.owner.post(`${path(study)}/freeze`, {
        status: 'frozen',
        reason: 'Visit',
        properties: { site: values },
      });
    expect((await dryRun(study, zoe, 'paris')).status).toBe(200);
    expect((await freeze('lyon')).status).toBeLessThan(300);
    expect((await dryRun(study, zoe, 'paris')).status).toBe(200);
    expectProblem(await dryRun(study, zoe, 'lyon'), 'study.frozen');
    expectProblem(
      await study.owner.patch(`${path(study)}/member/${zoe.id}`, { properties: { site: 'lyon' } }),
      'study.frozen',
    );
    expect((await freeze('nice')).status).toBeLessThan(300);
    const out = await dryRun(study, zoe, 'paris');
    expectProblem(out, 'study.frozen');
    expect(out.body.detail).toContain('site: nice');
    expect((await dryRun(study, study.other, 'paris')).status).toBe(200);
  });
});

describe('a study', () => {
  const declare = (study: Study, properties: object[]) => study.owner.patch(path(study), { properties });

  test('gives up no property and no value that is in use', async () => {
    const study = await trial();
    const { owner, responder: chidi, other: dana } = study;
    expectProblem(await declare(study, [site, ward]), 'property.in-use', ['/properties']);
    expectProblem(await declare(study, [{ ...site, values: ['lyon', 'nice'] }, arm]), 'property.in-use');
    expect((await declare(study, [{ ...site, values: ['paris', 'lyon'] }, arm])).status).toBe(200);
    await declare(study, [site, arm, ward]);
    // Scopes of staff name Lyon, as a member does.
    expectProblem(await declare(study, [{ ...site, values: ['paris'] }, arm]), 'property.in-use');
    expectProblem(await declare(study, [{ ...site, blinded: true }, arm]), 'property.in-use');
    const unused = { ...site, values: ['lyon', 'nice'] };
    await change(study, dana, { properties: { site: null } });
    const code = created(await owner.post(`${path(study)}/enrolment`, { properties: { site: 'paris' } }));
    expectProblem(await declare(study, [unused, arm]), 'property.in-use');
    await owner.delete(`/enrolment/${code.identifier}`);
    expect((await declare(study, [unused, arm])).status).toBe(200);
    await declare(study, [site, arm]);
    const invited = { email: 'eve@example.org', role: 'responder', properties: { site: 'paris' } };
    created(await owner.post(`${path(study)}/member`, invited));
    expectProblem(await declare(study, [unused, arm]), 'property.in-use');
    await owner.delete(`${path(study)}/member/eve@example.org`);
    expect((await declare(study, [unused, arm])).status).toBe(200);
    // Former members do not count, and have what is left when they come back.
    await change(study, chidi, { properties: { site: 'nice' } });
    await owner.delete(`${path(study)}/member/${chidi.id}`);
    expect((await declare(study, [{ ...site, values: ['lyon'] }, arm])).status).toBe(200);
    const again = await owner.post(`${path(study)}/member`, { user: chidi.id, role: 'responder' });
    expect(created(again).properties).toEqual({ arm: 'a' });
  });
});

describe('a code of enrolment', () => {
  const declare = (study: Study, properties: object[]) => study.owner.patch(path(study), { properties });
  const unused = { ...site, values: ['lyon', 'paris'] };

  test('that is used up holds no value', async () => {
    const study = await trial();
    const given = { properties: { site: 'nice' }, uses: 1 };
    const { code } = created(await study.owner.post(`${path(study)}/enrolment`, given));
    expectProblem(await declare(study, [unused, arm]), 'property.in-use');
    const zoe = participantOf(world, await enrol(world, code));
    await change(study, zoe, { properties: { site: 'lyon' } });
    expect((await declare(study, [unused, arm])).status).toBe(200);
  });

  test('that has expired holds no value', async () => {
    const study = await trial();
    const expiresAt = new Date(startOfTests + 60_000).toISOString();
    const given = { properties: { site: 'nice' }, uses: 2, expiresAt };
    created(await study.owner.post(`${path(study)}/enrolment`, given));
    later(59_999);
    expectProblem(await declare(study, [unused, arm]), 'property.in-use');
    later(1);
    expect((await declare(study, [unused, arm])).status).toBe(200);
  });
});

describe('an invitation', () => {
  test('carries properties and a scope, which its member then has', async () => {
    const study = await trial();
    const { owner, lea } = study;
    const nia = await stranger('Nia');
    const invited = {
      email: nia.email,
      role: 'monitor',
      properties: { ward: '1' },
      scope: { site: ['nice'] },
    };
    const path1 = `${path(study)}/member`;
    expect(created(await owner.post(path1, invited))).toEqual(invited);
    expect((await owner.post(path1, invited)).status).toBe(200);
    expectProblem(await owner.post(path1, { ...invited, scope: { site: ['lyon'] } }), 'invitation.exists');
    expectProblem(
      await owner.patch(`${path1}/${nia.email}`, { properties: { site: 'rome' } }),
      'request.invalid',
      ['/properties/site'],
    );
    const changed = await owner.patch(`${path1}/${nia.email}`, {
      properties: { arm: 'b', ward: null },
      scope: { site: ['nice', 'paris'] },
    });
    const after = { properties: { arm: 'b' }, scope: { site: ['nice', 'paris'] } };
    expect(changed.body).toEqual({ email: nia.email, role: 'monitor', ...after });
    expect((await owner.get(`${path(study)}/members`)).body.invitations).toMatchObject([after]);
    const { body } = await nia.post('/user', { name: 'Nia' });
    const shown = await seenBy(study, owner, { ...nia, id: body.identifier });
    expect(shown).toMatchObject(after);
    expect(await newest(study)).toMatchObject({
      action: 'member.added',
      details: { after: { role: 'monitor', ...after }, salt: expect.any(String) },
    });
    expectProblem(
      await owner.post(path1, { email: 'x@example.org', role: 'responder', scope: { site: ['nice'] } }),
      'request.invalid',
      ['/scope'],
    );
    expectProblem(await lea.post(path1, { email: 'x@example.org', role: 'responder' }), 'action.forbidden');
  });
});

describe('a changed arm', () => {
  /** Chidi is in arm a and Dana in arm b, each with a survey of theirs. */
  async function armed() {
    const study = await trial();
    const { owner, responder: chidi, other: dana } = study;
    const surveyOf = async (value: string, recurrence: string, blinded = true) => {
      const answer = await owner.post(`${path(study)}/survey`, {
        name: `Survey ${value}`,
        items: [{ identifier: 'q1', label: 'How was it?' }],
        reminders: { ...daily, recurrence },
        for: blinded ? { arm: [value] } : { ward: [value] },
      });
      return created(answer).identifier as string;
    };
    const [a, b, ward] = [
      await surveyOf('a', '0 20 * * *'),
      await surveyOf('b', '0 21 * * *'),
      await surveyOf('1', '0 22 * * *', false),
    ];
    for (const person of [chidi, dana]) await newPhone(person);
    return { ...study, a, b, ward };
  }

  test('is seen before: the reminders that go and those that come; and then comes so', async () => {
    const study = await armed();
    const { owner, responder: chidi, a, b } = study;
    await dueAt(chidi, '2027-03-01T19:00:00.000Z');
    const members = [{ user: chidi.id, properties: { arm: 'b' } }];
    const shown = await changingNothing(() =>
      owner.post(`${path(study)}/members/dates`, { members, dryRun: true }),
    );
    expect(shown.body.changed).toBe(1);
    expect(shown.body.page).toHaveLength(2);
    expect(shown.body.page).toEqual(
      expect.arrayContaining([
        {
          ...{ user: chidi.id, survey: a },
          before: ['2027-03-01T19:00:00.000Z', '2027-03-02T19:00:00.000Z', '2027-03-03T19:00:00.000Z'],
          after: [],
        },
        {
          ...{ user: chidi.id, survey: b },
          before: [],
          after: ['2027-03-01T20:00:00.000Z', '2027-03-02T20:00:00.000Z', '2027-03-03T20:00:00.000Z'],
        },
      ]),
    );
    await owner.post(`${path(study)}/members/dates`, { members });
    await dueAt(chidi, '2027-03-01T20:00:00.000Z');
    await change(study, chidi, { properties: { arm: null } });
    await pendingOf(chidi, 0);
    await change(study, chidi, { properties: { arm: 'a' } });
    await dueAt(chidi, '2027-03-01T19:00:00.000Z');
  });

  test('shows editors the surveys that they see, in slices that count no others', async () => {
    const study = await armed();
    const { editor: bruno, other: dana, ward } = study;
    const members = [{ user: dana.id, properties: { ward: '1' }, participation: { until: '2027-03-02' } }];
    const { body } = await bruno.post(`${path(study)}/members/dates`, { members, dryRun: true });
    expect(body.page).toEqual([
      {
        ...{ user: dana.id, survey: ward },
        before: [],
        after: ['2027-03-01T21:00:00.000Z', '2027-03-02T21:00:00.000Z'],
      },
    ]);
    const owners = await study.owner.post(`${path(study)}/members/dates`, { members, dryRun: true });
    expect(owners.body.page).toHaveLength(2);
  });

  test('of staff: editors and monitors do not get what they do not see', async () => {
    const study = await armed();
    const { responder: chidi } = study;
    await dueAt(chidi, '2027-03-01T19:00:00.000Z');
    await change(study, chidi, { role: 'monitor' });
    await pendingOf(chidi, 0);
    expect(await scheduled(chidi)).toEqual([]);
  });
});

describe('a list of many', () => {
  test('looks at some members at a time for those who see a part, and for a filter', async () => {
    const study = await trial();
    const { owner, lea } = study;
    await addMembers(study, 11_000);
    const last = bulkMember(study.id, 11_000);
    await change(study, { ...lea, id: last }, { properties: { site: 'lyon' } });
    const { measure } = countedApp();
    for (const [by, query] of [
      [lea, '?role=responder'],
      [owner, '?property=site:lyon'],
    ] as const) {
      const found: string[] = [];
      let pages = 0;
      for (let cursor = ''; ; ) {
        const { answer, rowsRead } = await measure(
          by,
          'GET',
          `${path(study)}/members${query}${cursor && `&cursor=${cursor}`}`,
        );
        expect(rowsRead).toBeLessThanOrEqual(15_100);
        found.push(...answer.body.members.map(({ identifier }: { identifier: string }) => identifier));
        pages++;
        if (!answer.body.next) break;
        cursor = answer.body.next;
      }
      expect(found.sort()).toEqual([study.responder.id, last].sort());
      expect(pages).toBe(3);
    }
  });

  test('ends at nobody who is not shown', async () => {
    const study = await trial();
    const { owner, lea, responder: chidi } = study;
    await addMembers(study, 1);
    // Behind them all, by identifiers that begin otherwise.
    await env.DB.batch(
      [
        `insert into user (id, issuer, subject, name, time_zone, created_at)
          select id, 'bulk', id, 'Member', 'Europe/Paris', 0 from fresh where ?1 <> ''`,
        `insert into member (investigation_id, user_id, role, created_at) select ?1, id, 'responder', 0 from fresh`,
      ].map((insert) =>
        env.DB.prepare(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 6000),
          fresh(id) as (select printf('f%015x%08x%08x', i, i, i + 1) from n) ${insert}`).bind(study.id),
      ),
    );
    const shownTo = async (by: Person, query: string) =>
      allPages(by, `${path(study)}/members?role=responder${query}`);
    for (const pages of [await shownTo(lea, ''), await shownTo(owner, '&property=site:lyon')]) {
      const ids = pages.map(({ body }) =>
        body.members.map(({ identifier }: { identifier: string }) => identifier),
      );
      expect(ids).toEqual([[chidi.id], []]);
      expect(pages.map(keyIn)).toEqual([[expect.stringMatching(/^f[0-9a-f]{23}0{8}$/), ''], undefined]);
    }
  });
});

test('a copy of the members of a part is what their list shows', async () => {
  const study = await trial();
  const { owner, editor: bruno, responder: chidi, lea } = study;
  await change(study, bruno, { code: 'B-1', properties: { site: 'paris', ward: '1' } });
  await change(study, chidi, { participation: { until: '2027-06-01' } });
  const { code } = created(await owner.post(`${path(study)}/enrolment`, {}));
  const paul = await enrol(world, code);
  await owner.patch(`${path(study)}/member/${paul.body.user.identifier}`, { properties: { site: 'lyon' } });
  // Nobody else reads the feed of a study with a blinded property.
  for (const by of [owner, lea]) {
    if (by === lea) {
      for (const one of [bruno, chidi, study.other]) await change(study, one, { properties: { arm: null } });
      const declared = (await owner.get(path(study))).body.properties;
      const unblinded = declared.filter(({ blinded }: { blinded?: true }) => !blinded);
      await owner.patch(path(study), { properties: unblinded });
    }
    const { body } = await by.get(`${path(study)}/changes?after=0&include=body`);
    const copied = body.changes
      .filter(({ kind }: { kind: string }) => kind === 'member')
      .map((one: { body: object }) => one.body);
    const sorted = (members: { identifier: string }[]) =>
      members.toSorted((a, b) => (a.identifier < b.identifier ? -1 : 1));
    expect(sorted(copied)).toEqual(sorted(await membersFor(study, by)));
  }
});
