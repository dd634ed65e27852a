import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { countedApp } from '../support/worker/counters.ts';
import { longAnswers, studyOfManyItems } from './support/long-responses.ts';

let study: Study;
beforeAll(async () => {
  study = await studyOfManyItems();
});

describe('the revisions of a long response', () => {
  const count = 1_100;
  /** The newest have a megabyte each: more together than an isolate has memory for. */
  const large = 200;
  let id: string;
  beforeAll(async () => {
    const night = await newCase(study, study.owner);
    id = await newResponse(study, study.responder, night, longAnswers);
    await env.DB.prepare(
      `with recursive n(i) as (select 2 union all select i + 1 from n where i < ${count})
       insert into response_revision (response_id, number, id, author_id, at, items, reasons)
       select ?1, i, printf('%032x', i), ?2, 1800000000000 + i,
         json_set(iif(i > ${count - large}, ?3, '{}'), '$.q17', 'old ' || i), '{}' from n`,
    )
      .bind(id, study.responder.id, JSON.stringify(longAnswers))
      .run();
  });

  test('are read as they were: 1,100, and 200 of them of a megabyte, in pages that none exceeds, by ten readers at once', async () => {
    const pages = await Promise.all(
      Array.from({ length: 10 }, () => study.owner.get(`/response/${id}/revisions?limit=1000`)),
    );
    for (const { status, text, body } of pages) {
      expect(status).toBe(200);
      expect(text.length).toBeLessThan(1_300_000);
      expect(body.revisions).toHaveLength(1);
      expect(body.revisions[0].items).toEqual({ ...longAnswers, q17: `old ${count}` });
      expect(body.next).toBeDefined();
    }
    const { measure } = countedApp();
    const cost = await measure(study.owner, 'GET', `/response/${id}/revisions?limit=1000`);
    expect(cost.rowsRead).toBeLessThanOrEqual(4 * 1000);
  });

  test('are followed by those of later changes', async () => {
    await env.DB.prepare(
      `update response set items = (select items from response_revision where response_id = ?1 and number = ${count}) where id = ?1`,
    )
      .bind(id)
      .run();
    await study.responder.patch(`/response/${id}`, { items: { q18: 'new' } });
    await study.responder.patch(`/response/${id}`, { items: { q17: null } });
    let url = `/response/${id}/revisions`;
    const seen = [];
    for (let n = 0; n < 3; n++) {
      const { body } = await study.owner.get(url);
      seen.push(
        ...body.revisions.map(({ items }: { items: Record<string, string> }) => [items.q17, items.q18]),
      );
      expect(body.revisions[0].items.q0).toBe(longAnswers.q0);
      url = `/response/${id}/revisions?cursor=${body.next}`;
    }
    expect(seen).toEqual([
      [undefined, 'new'],
      [`old ${count}`, 'new'],
      [`old ${count}`, undefined],
    ]);
  });
});
