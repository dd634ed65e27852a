import { env } from 'cloudflare:workers';
import canonicalize from 'canonicalize';
import { beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { newIdentifier, sha256 } from '../../src/identifiers.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { tokenBuckets } from '../../src/platform/server/token-buckets.ts';
import { linesOf } from '../support/lists.ts';
import { enrol, newCode, participantOf } from '../support/participants.ts';
import { created, type Person, readAnswer, requestOf } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { interruptedDb, newApp } from '../support/worker/apps.ts';
import { days, later, setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { sleepStudy, world } from '../support/worker/world.ts';

const textIn = (title: string) => ({ title, text: `${title}\n\nTwo weeks.`, contact: 'ada@example.org' });
const information = { 'fr-CA': textIn('Sommeil'), en: textIn('Sleep'), de: textIn('Schlaf') };
const hashOf = (text: object) => sha256(canonicalize(text) ?? '');

let study: Study;
let owner: Person;

beforeEach(async () => {
  setClock(startOfTests);
  study = await sleepStudy();
  owner = study.owner;
  const answer = await study.editor.patch(`/investigation/${study.id}`, { information });
  expect(answer.status).toBe(200);
});

const about = (code: string, language?: string) =>
  world.send('/enrol/about', requestOf({ method: 'POST', body: { code, language } }));
const readUsed = async (identifier: string) => (await owner.get(`/enrolment/${identifier}`)).body.used;
const memberOf = async (user: string, by: Person = owner) =>
  (await by.get(`/investigation/${study.id}/members`)).body.members.find(
    ({ identifier }: { identifier: string }) => identifier === user,
  );
const newInformation = { en: textIn('Dreams') };

describe('the study of a code', () => {
  test('is the name of the study and its text in the language of the person, and uses nothing up', async () => {
    const { code, identifier } = await newCode(owner, study.id);
    for (const [language, tag] of [
      ['de-AT', 'de'],
      ['fr-CA-x-a', 'fr-CA'],
      ['fr', 'en'],
      ['ja', 'en'],
      [undefined, 'en'],
    ] as const) {
      const { status, body } = await changingNothing(() => about(code, language));
      expect(status).toBe(200);
      const text = information[tag];
      expect(body, language).toEqual({
        investigation: { name: 'Sleep', timeZone: 'Europe/Paris' },
        information: { language: tag, ...text },
        agreedTo: await hashOf(text),
      });
    }
    expect(await readUsed(identifier)).toBe(0);
    expect((await enrol(world, code)).status).toBe(201);
    expectProblem(await about(code), 'resource.not-found');
  });

  test('is in the first language by its tag if none fits and there is no English', async () => {
    const { de, 'fr-CA': fr } = information;
    await owner.patch(`/investigation/${study.id}`, { information: { 'fr-CA': fr, de } });
    const { code } = await newCode(owner, study.id);
    expect((await about(code, 'ja')).body.information.language).toBe('de');
  });

  test('is the name alone without information', async () => {
    await owner.patch(`/investigation/${study.id}`, { information: null });
    const { code } = await newCode(owner, study.id);
    const { body } = await about(`https://fieldbell.example.org/p/#${code}`);
    expect(body).toEqual({
      investigation: { name: 'Sleep', timeZone: 'Europe/Paris' },
      information: null,
      agreedTo: null,
    });
  });

  test('is told of a code for a new phone, too', async () => {
    const chidi = participantOf(world, await enrol(world, (await newCode(owner, study.id)).code));
    const { code } = created(await owner.post(`/investigation/${study.id}/member/${chidi.id}/relink`));
    expect((await about(code)).body.information.title).toBe('Sleep');
    expect((await enrol(world, code)).status).toBe(200);
    expectProblem(await about(code), 'resource.not-found');
  });

  test('is one and the same 404 for a code that is wrong, used, expired or ended, or of an archived study', async () => {
    const used = await newCode(owner, study.id);
    await enrol(world, used.code);
    const ended = await newCode(owner, study.id);
    await owner.delete(`/enrolment/${ended.identifier}`);
    const expiresAt = new Date(startOfTests + days).toISOString();
    const expired = await newCode(owner, study.id, { expiresAt });
    const other = created(await owner.post('/investigation', { name: 'Over' })).identifier;
    const over = await newCode(owner, other);
    await owner.patch(`/investigation/${other}`, { status: 'archived' });
    later(days);
    const bodies = [];
    for (const code of ['7M2K-9QXB-4TWD', used.code, ended.code, expired.code, over.code])
      bodies.push(expectProblem(await changingNothing(() => about(code)), 'resource.not-found'));
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  });

  test.each([
    {},
    { code: 7 },
    { code: 'x' },
    { code: 'x'.repeat(2001) },
    { code: '7M2K-9QXB-4TWD', language: '?' },
  ])('is refused for %j', async (body) => {
    const answer = await world.send('/enrol/about', requestOf({ method: 'POST', body }));
    expectProblem(answer, 'request.invalid');
  });

  test('has the limits of using codes: wrong ones together with those, right ones counted apart', async () => {
    const now = () => Date.now();
    const rateLimits = {
      user: tokenBuckets(0),
      address: tokenBuckets(0),
      code: tokenBuckets(2, now),
      enrol: tokenBuckets(3, now),
    };
    const app = createApp({ ...createServices(env), rateLimits, log: () => {} }, readConfig(env));
    const from = (address: string) => async (path: string, body: object) =>
      readAnswer(await app.request(path, requestOf({ method: 'POST', body }), { address }));
    const hall = from('203.0.113.7');
    const { code } = await newCode(owner, study.id, { uses: 50 });
    for (let n = 0; n < 3; n++) expect((await hall('/enrol/about', { code })).status).toBe(200);
    expectProblem(await hall('/enrol/about', { code }), 'rate.limited');
    for (let n = 0; n < 3; n++) expect((await hall('/enrol', { code })).status).toBe(201);
    const stranger = from('203.0.113.8');
    const wrong = { code: '7M2K-9QXB-4TWD' };
    const tries = [];
    for (const path of ['/enrol', '/enrol/about', '/enrol/about', '/enrol/about'])
      tries.push((await stranger(path, wrong)).status);
    expect(tries).toEqual([404, 404, 429, 429]);
    expectProblem(await stranger('/enrol', wrong), 'rate.limited');
    const changed = { code, agreedTo: '0'.repeat(64) };
    for (let n = 0; n < 3; n++)
      expectProblem(await from('203.0.113.9')('/enrol', changed), 'information.changed');
    expectProblem(await from('203.0.113.9')('/enrol', changed), 'rate.limited');
    expect((await from('203.0.113.9')('/enrol', wrong)).status, 'a changed text is no wrong code').toBe(404);
  });
});

describe('the text that a person joined under', () => {
  test('is kept with the membership, and shown to staff, to the person and in the log', async () => {
    const { code } = await newCode(owner, study.id);
    const { agreedTo } = (await about(code, 'de')).body;
    const chidi = participantOf(world, await enrol(world, code, { agreedTo }));
    for (const staff of [owner, study.editor])
      expect(await memberOf(chidi.id, staff)).toMatchObject({ agreedTo });
    expect(Object.keys(await memberOf(chidi.id, chidi))).not.toContain('agreedTo');
    const participant = await owner.get(`/investigation/${study.id}/member/${chidi.id}`);
    expect(participant.body).toMatchObject({ agreedTo });
    const { changes } = (await owner.get(`/investigation/${study.id}/changes?after=0&include=body`)).body;
    const own = changes.find(({ identifier }: { identifier: string }) => identifier === chidi.id);
    expect(own.body).toMatchObject({ agreedTo });
    const lines = linesOf((await chidi.get('/user/me/export')).text);
    const memberships = lines.filter(({ kind }) => kind === 'membership');
    expect(JSON.stringify(memberships)).toContain(agreedTo);
    const { activities } = (await owner.get(`/investigation/${study.id}/activity?action=member.added`)).body;
    expect(activities[0].details).toMatchObject({ member: chidi.id, agreedTo });
  });

  test('stays when the study changes its text, and when they get a new phone', async () => {
    const { code } = await newCode(owner, study.id);
    const { agreedTo } = (await about(code)).body;
    const chidi = participantOf(world, await enrol(world, code, { agreedTo }));
    await owner.patch(`/investigation/${study.id}`, { information: newInformation });
    const again = created(await owner.post(`/investigation/${study.id}/member/${chidi.id}/relink`));
    const present = (await about(again.code)).body.agreedTo;
    expect(present).not.toBe(agreedTo);
    expect((await enrol(world, again.code, { agreedTo: present })).status).toBe(200);
    expect(await memberOf(chidi.id)).toMatchObject({ agreedTo });
  });

  test('is null for somebody who was shown none', async () => {
    const chidi = participantOf(world, await enrol(world, (await newCode(owner, study.id)).code));
    expect(await memberOf(chidi.id)).toMatchObject({ agreedTo: null });
    expect(await memberOf(study.responder.id), 'did not enrol by a code').not.toHaveProperty('agreedTo');
  });

  test('has to be a present one, and a refusal leaves the code as it was', async () => {
    const { code, identifier } = await newCode(owner, study.id);
    const { agreedTo } = (await about(code)).body;
    await owner.patch(`/investigation/${study.id}`, { information: newInformation });
    expectProblem(await changingNothing(() => enrol(world, code, { agreedTo })), 'information.changed');
    expect(await readUsed(identifier)).toBe(0);
    const now = (await about(code)).body.agreedTo;
    expect((await enrol(world, code, { agreedTo: now })).status).toBe(201);
    expectProblem(await enrol(world, code, { agreedTo: 'yes' }), 'request.invalid');
  });

  test('is refused if it changes while they press the button', async () => {
    const { code, identifier } = await newCode(owner, study.id);
    const { agreedTo } = (await about(code)).body;
    const change = () => owner.patch(`/investigation/${study.id}`, { information: newInformation });
    const phone = newApp({ db: interruptedDb(change) });
    expectProblem(await enrol(phone, code, { agreedTo }), 'information.changed');
    expect(await readUsed(identifier)).toBe(0);
  });

  test('does not stand in the way of a repeat after a lost answer', async () => {
    const { code } = await newCode(owner, study.id);
    const { agreedTo } = (await about(code)).body;
    const secret = newIdentifier(Date.now());
    const first = await enrol(world, code, { agreedTo, secret });
    await owner.patch(`/investigation/${study.id}`, { information: newInformation });
    const second = await enrol(world, code, { agreedTo, secret });
    expect([second.status, second.body.user.identifier]).toEqual([200, first.body.user.identifier]);
    expect(await memberOf(first.body.user.identifier)).toMatchObject({ agreedTo });
  });
});
