import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { lock, newCase, newResponse } from '../support/studies.ts';
import { interruptedDb, newApp } from './support/apps.ts';
import { sleepStudy } from './support/world.ts';

describe('an editor who is demoted between the read and the write of an edit', () => {
  test.each(['case', 'response'] as const)('changes no %s of others', async (noun) => {
    const study = await sleepStudy();
    const night = await newCase(study, study.owner);
    const id = noun === 'case' ? night : await newResponse(study, study.owner, night);
    const table = noun === 'case' ? 'study_case' : 'response';
    const stored = () => env.DB.prepare(`select * from ${table} where id = ?`).bind(id).first();
    const before = await stored();
    const member = `/investigation/${study.id}/member/${study.editor.id}`;
    const db = interruptedDb(() => study.owner.patch(member, { role: 'responder' }));
    const body = noun === 'case' ? { label: 'Mine' } : { items: { q1: 'badly' } };
    const answer = await newApp({ db }).send(`/${noun}/${id}`, {
      method: 'PATCH',
      token: study.editor.token,
      body,
    });
    expect([answer.status, answer.body.code]).toEqual([404, 'resource.not-found']);
    expect(await stored()).toEqual(before);
  });
});

describe('a response that was deleted', () => {
  test('no longer shows its case to the responder, who may not lock it either', async () => {
    const study = await sleepStudy();
    const { owner, responder } = study;
    const night = await newCase(study, owner);
    const response = await newResponse(study, responder, night);
    expect((await responder.get(`/case/${night}`)).status).toBe(200);
    const responses = [{ identifier: response }];
    const deleted = await owner.post(`/investigation/${study.id}/delete-items`, {
      responses,
      status: 'deleted',
    });
    expect(deleted.status).toBe(204);

    expect((await responder.get(`/case/${night}`)).status).toBe(404);
    expect((await responder.get(`/investigation/${study.id}/cases`)).body.cases).toEqual([]);
    expect((await lock(responder, study, { cases: [night] })).status).toBe(404);
  });

  test('shows it again when it is brought back', async () => {
    const study = await sleepStudy();
    const { owner, responder } = study;
    const night = await newCase(study, owner);
    const responses = [{ identifier: await newResponse(study, responder, night) }];
    for (const status of ['deleted', 'active'])
      await owner.post(`/investigation/${study.id}/delete-items`, { responses, status });
    expect((await responder.get(`/investigation/${study.id}/cases`)).body.cases).toHaveLength(1);
  });
});
