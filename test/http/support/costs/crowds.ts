import type { Client, World } from './tree.ts';

const counter = 'with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ?1)';
const numbered = (prefix: string) => `'${prefix}' || printf('%0${32 - prefix.length}x', n)`;

/** Of the person with many things: cases, and as many responses. */
const largeItems = 63_600;
/** People with few things, and how many of each kind. */
export const smallAccounts = 300;
const smallItems = 200;

/** The people of the scenarios: one owns a study of many items, and many have little each. */
export interface Crowds {
  study: string;
  survey: string;
  /** Subjects of tokens. */
  large: string;
  small: string[];
}

/** Fills a database, whose service runs, with the things of the scenarios. */
export async function fillCrowds(client: Client, world: World): Promise<Crowds> {
  const run = (sql: string, ...values: (string | number)[]) => client.execute({ sql, values });
  const owner = await world.person('lena');
  const study = (await owner.post('/investigation', { name: 'Large' })).identifier;
  const items = [{ identifier: 'q1', label: 'How did you sleep?' }];
  const survey = (await owner.post(`/investigation/${study}/survey`, { name: 'Diary', items })).identifier;
  const addItems = (count: number, prefix: string, user: string) =>
    run(
      `${counter} insert into study_case
        (id, investigation_id, creator_id, label, hidden, created_with, edited_at, created_at, revision_id)
        select ${numbered(`ca${prefix}`)}, ?2, ?3, 'Night ' || n, 0, '{}', n, n, ${numbered(`cb${prefix}`)} from counter`,
      count,
      study,
      user,
    ).then(() =>
      run(
        `${counter} insert into response
          (id, investigation_id, survey_id, case_id, responder_id, items, reasons, revised_at, created_at, revision_id)
          select ${numbered(`4e${prefix}`)}, ?2, ?3, ${numbered(`ca${prefix}`)}, ?4, '{"q1":"well"}', '{}', n, n,
            ${numbered(`4f${prefix}`)} from counter`,
        count,
        study,
        survey,
        user,
      ),
    );
  await addItems(largeItems, 'aaaa', owner.id);
  await run(
    `${counter} insert into user (id, issuer, subject, name, created_at)
      select ${numbered('5a')}, ?2, 'small-' || n, 'Member ' || n, 0 from counter`,
    smallAccounts,
    world.issuer,
  );
  await run(
    `${counter} insert into member (investigation_id, user_id, role, created_at)
      select ?2, ${numbered('5a')}, 'responder', 0 from counter`,
    smallAccounts,
    study,
  );
  for (let n = 1; n <= smallAccounts; n++)
    await addItems(smallItems, n.toString(16).padStart(4, '0'), `5a${n.toString(16).padStart(30, '0')}`);
  await run(`insert into response_revision (response_id, number, id, author_id, at, items, reasons)
    select id, 1, revision_id, responder_id, created_at, items, reasons from response`);
  return {
    study,
    survey,
    large: 'lena',
    small: Array.from({ length: smallAccounts }, (_, n) => `small-${n + 1}`),
  };
}
