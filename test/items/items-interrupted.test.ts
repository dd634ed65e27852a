import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { lock, newCase, newResponse, type Study } from '../support/studies.ts';
import { interruptedDb, newApp } from '../support/worker/apps.ts';
import { sleepStudy } from '../support/worker/world.ts';

type Noun = 'case' | 'response';

/** A case of the owner's, or a response of theirs to it. */
async function newItem(noun: Noun) {
  const study = await sleepStudy();
  const night = await newCase(study, study.owner);
  const id = noun === 'case' ? night : await newResponse(study, study.owner, night);
  const table = noun === 'case' ? 'study_case' : 'response';
  const stored = () => env.DB.prepare(`select * from ${table} where id = ?`).bind(id).first();
  return { study, id, stored };
}

const bodyOf = (noun: Noun, text: string) =>
  noun === 'case' ? { label: text } : { items: { [text === 'theirs' ? 'q2' : 'q1']: text } };

/** The editor's edit, between whose read and write something else happens. */
function edit(noun: Noun, { editor }: Study, id: string, meanwhile: () => Promise<unknown>) {
  const call = { method: 'PATCH', token: editor.token, body: bodyOf(noun, 'mine') };
  return newApp({ db: interruptedDb(meanwhile) }).send(`/${noun}/${id}`, call);
}

const changeItems = (study: Study, noun: Noun, id: string, [action, status]: readonly [string, string]) =>
  study.owner.post(`/investigation/${study.id}/${action}-items`, {
    [`${noun}s`]: [{ identifier: id }],
    status,
  });

describe.each(['case', 'response'] as const)('between the read and the write of an edit, a %s', (noun) => {
  test('of others is not changed by an editor who is demoted', async () => {
    const { study, id, stored } = await newItem(noun);
    const before = await stored();
    const member = `/investigation/${study.id}/member/${study.editor.id}`;
    const answer = await edit(noun, study, id, () => study.owner.patch(member, { role: 'responder' }));
    expect([answer.status, answer.body.code]).toEqual([404, 'resource.not-found']);
    expect(await stored()).toEqual(before);
  });

  test.each([
    [['lock', 'locked'], 423, 'item.locked'],
    [['archive', 'archived'], 409, 'item.archived'],
    [['delete', 'deleted'], 404, 'resource.not-found'],
  ] as const)('is not changed after %j', async (change, status, code) => {
    const { study, id, stored } = await newItem(noun);
    const before = (await stored())?.revision_id;
    const answer = await edit(noun, study, id, () => changeItems(study, noun, id, change));
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect((await stored())?.revision_id).toBe(before);
  });

  test('that somebody else edits loses neither edit', async () => {
    const { study, id } = await newItem(noun);
    const other = () => study.owner.patch(`/${noun}/${id}`, bodyOf(noun, 'theirs'));
    expect((await edit(noun, study, id, other)).status).toBe(200);
    const { body } = await study.owner.get(`/${noun}/${id}`);
    if (noun === 'response') expect(body.items).toMatchObject({ q1: 'mine', q2: 'theirs' });
    else expect(body.label).toBe('mine');
  });
});

describe('between the read and the write of a new response', () => {
  const cases = [
    ['locked', (study: Study, night: string) => lock(study.owner, study, { cases: [night] }), 423],
    ['hidden', (study: Study, night: string) => study.owner.patch(`/case/${night}`, { hidden: true }), 404],
    [
      'archived',
      (study: Study, night: string) => changeItems(study, 'case', night, ['archive', 'archived']),
      409,
    ],
  ] as const;
  test.each(cases)('its case is %s: there is no response', async (_, meanwhile, status) => {
    const study = await sleepStudy();
    const night = await newCase(study, study.owner);
    const db = interruptedDb(() => meanwhile(study, night));
    const answer = await newApp({ db }).send(`/survey/${study.survey}/response`, {
      method: 'POST',
      token: study.responder.token,
      body: { case: night, items: { q1: 'well' } },
    });
    expect(answer.status).toBe(status);
    const all = await study.owner.get(`/investigation/${study.id}/responses?status=all`);
    expect(all.body.responses).toEqual([]);
  });
});

describe('a response that was deleted', () => {
  test('no longer shows its case to the responder, who may not lock it either', async () => {
    const study = await sleepStudy();
    const { owner, responder } = study;
    const night = await newCase(study, owner);
    const response = await newResponse(study, responder, night);
    expect((await responder.get(`/case/${night}`)).status).toBe(200);
    expect((await changeItems(study, 'response', response, ['delete', 'deleted'])).status).toBe(204);

    expect((await responder.get(`/case/${night}`)).status).toBe(404);
    expect((await responder.get(`/investigation/${study.id}/cases`)).body.cases).toEqual([]);
    expect((await lock(responder, study, { cases: [night] })).status).toBe(404);
  });

  test('shows it again when it is brought back', async () => {
    const study = await sleepStudy();
    const { owner, responder } = study;
    const night = await newCase(study, owner);
    const response = await newResponse(study, responder, night);
    for (const status of ['deleted', 'active'])
      await changeItems(study, 'response', response, ['delete', status]);
    expect((await responder.get(`/investigation/${study.id}/cases`)).body.cases).toHaveLength(1);
  });
});
