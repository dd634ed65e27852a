import { expect, test } from 'vitest';
import { startOfTests } from './support/clock.ts';
import { newCase, newResponse, sleepStudy } from './support/studies.ts';

test('a response reads in list form and in single form, as the interface shows them', async () => {
  const study = await sleepStudy();
  const night = await newCase(study, study.owner);
  const id = await newResponse(study, study.responder, night, { q1: 'well', q2: '' });

  const list = await study.owner.get(`/investigation/${study.id}/responses`);
  expect(list.status).toBe(200);
  expect(list.body).toEqual({
    investigation: `investigation/${study.id}`,
    responses: [
      {
        uri: `response/${id}`,
        identifier: id,
        b64Identifier: expect.stringMatching(/^[A-Za-z0-9+/]{22}==$/),
        creation: new Date(startOfTests).toISOString(),
        case: night,
        responder: study.responder.id,
        name: 'Chidi',
        avatar: `/user/${study.responder.id}/avatar`,
        items: { q1: 'well', q2: '' },
        reasons: {},
        survey: study.survey,
        status: 'active',
        revisionUNIX: startOfTests / 1000,
        revisionIdentifier: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    ],
  });

  const single = await study.owner.get(`/response/${id}`);
  expect(single.status).toBe(200);
  expect(single.body).toEqual({
    uri: `/response/${id}`,
    survey: `/survey/${study.survey}`,
    responder: `/user/${study.responder.id}`,
    case: `case/${night}`,
    items: { q1: 'well', q2: '' },
    reasons: {},
    revisionDate: startOfTests / 1000,
    status: 'active',
  });
  expect(single.headers.get('etag')).toBe(`"${list.body.responses[0].revisionIdentifier}"`);
});
