import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Known, type ReadingRoute, type RoutesDocument, readingRoutes } from '../../simulator/questions.ts';
import type { Person } from '../support/people.ts';
import { everythingSeen, type Seen } from './support/everything-seen.ts';
import { type LocalApp, localApp } from './support/local-app.ts';
import { blindMark, lyonMark, type TwoSites, twoSites } from './support/two-sites.ts';

/*
 * Everything that staff of one site can read, by every route of the document, searched for whatever is of the other site
 * alone; and the same for staff who see both sites, and a blinded survey and property.
 */

interface Searched {
  local: LocalApp;
  sites: TwoSites;
  routes: ReadingRoute[];
  known: Known;
}

const sitesOf = async (blinded: boolean): Promise<Searched> => {
  const local = await localApp();
  const sites = await twoSites(local, { blinded });
  const document = (await (await local.app.request('/openapi.json')).json()) as RoutesDocument;
  return { local, sites, routes: readingRoutes(document), known: await knownOf(local, sites) };
};

const idsOf = async ({ client }: LocalApp, sql: string, ...values: string[]): Promise<string[]> => {
  const { rows } = await client.execute({ sql, values });
  return rows.map(([id]) => String(id));
};

/** All identifiers, codes and words by which somebody may ask, also for what they may not see. */
async function knownOf(local: LocalApp, { study, survey, blinded, people, taken, codes, ...rest }: TwoSites): Promise<Known> {
  const users = [...people.lyon, ...people.paris].map(({ id }) => id);
  const surveys = [survey, ...(blinded ? [blinded] : [])];
  const all = [...taken.values()];
  const responses = await idsOf(local, 'select id from response order by id');
  const some = <T>(list: readonly T[]) => list.filter((_, n) => n % 3 === 0);
  return {
    '/user': ['me', ...users],
    '/member': users,
    '/investigation': [study],
    '/invitations': [study],
    '/case': await idsOf(local, 'select id from study_case order by id'),
    '/response': responses,
    '/survey': surveys,
    '/set-aside': all.map(({ setAside }) => setAside),
    '/device': all.map(({ device }) => device),
    '/enrolment': await idsOf(local, 'select id from enrolment order by id'),
    '/activity': await idsOf(local, 'select id from activity order by position'),
    '/notification': some(await idsOf(local, 'select id from notification order by id')),
    '/webhook': [rest.webhook],
    '/token': [rest.program.id],
    '/problems': ['items.not-found'],
    user: users,
    responder: users,
    creator: users,
    case: all.map((one) => one.case),
    item: [...all.map((one) => one.case), ...some(responses)],
    survey: surveys,
    code: await idsOf(local, 'select code from member_code order by code'),
    property: ['site:lyon', 'site:paris', 'site:nowhere', `${blindMark}arm:${blindMark}-b`, 'colour:red'],
    limit: ['1'],
    cursor: [],
    mark: ['1'],
    after: ['0', '7'],
    since: ['1'],
    at: ['2027-03-01T00:00:00Z'],
    device: all.map(({ device }) => device),
  };
}

/** Whatever is of Lyon alone: texts by their mark, and the identifiers of its people and things. */
async function marksOfLyon(local: LocalApp, { people, taken, codes, survey }: TwoSites): Promise<string[]> {
  const users = people.lyon.map(({ id }) => id);
  const list = JSON.stringify(users);
  const ofUsers = 'in (select value from json_each(?))';
  const cases = await idsOf(local, `select id from study_case where creator_id ${ofUsers}`, list);
  const ofCases = JSON.stringify(cases);
  return [
    lyonMark,
    lyonMark.toLowerCase(),
    ...users,
    ...cases,
    ...(await idsOf(local, `select id from response where case_id ${ofUsers}`, ofCases)),
    ...(await idsOf(
      local,
      `select v.id from response_revision v join response r on r.id = v.response_id where r.case_id ${ofUsers}`,
      ofCases,
    )),
    ...(await idsOf(local, `select revision_id from study_case where creator_id ${ofUsers}`, list)),
    ...(await idsOf(local, `select id from notification where user_id ${ofUsers}`, list)),
    ...people.lyon.flatMap((person) => [taken.get(person)?.device ?? '-', taken.get(person)?.setAside ?? '-']),
    codes.lyon?.identifier ?? '-',
    codes.lyon?.code ?? '-',
    ...(survey ? [] : ['-']),
  ];
}

async function marksOfBlinded(local: LocalApp, { blinded, codes }: TwoSites): Promise<string[]> {
  return [
    blindMark,
    blinded,
    ...(await idsOf(local, 'select id from response where survey_id = ?', blinded)),
    ...(await idsOf(local, 'select id from notification where survey_id = ?', blinded)),
    codes.arm?.identifier ?? '-',
    codes.arm?.code ?? '-',
  ];
}

/** What is told of the marks, by route; a request that names one of them itself may have it back in its error. */
function leaksIn(seen: readonly Seen[], marks: readonly string[]): string[] {
  return seen.flatMap(({ route, request, text, status }) =>
    marks
      .filter((mark) => text.includes(mark) && !request.includes(encodeURIComponent(mark)))
      .slice(0, 1)
      .map((mark) => `${route}: ${mark} at ${request}: ${status} ${text.slice(0, 1_500)}`),
  );
}

const openRoutes = ['/user/{id}/avatar', '/openapi.json', '/docs'];

async function searched({ sites, routes, known }: Searched, who: string, marks: readonly string[]) {
  const by = sites.staff[who] as Person;
  const asked = routes.filter(({ path }) => !openRoutes.includes(path));
  const seen = await everythingSeen(by, asked, known);
  expect(seen.filter(({ status }) => status < 300).length, who).toBeGreaterThan(50);
  expect(seen.filter(({ status }) => status >= 500)).toEqual([]);
  return leaksIn(seen, marks);
}

let open: Searched;
beforeAll(async () => {
  open = await sitesOf(false);
});
afterAll(() => open.local.close());

describe('everything that staff of Paris can read has nothing of Lyon:', () => {
  test.each(['monitor of paris', 'editor of paris', 'program of paris'])('the %s', async (who) => {
    expect(await searched(open, who, await marksOfLyon(open.local, open.sites))).toEqual([]);
  });

  test('while an owner reads all of it', async () => {
    const { sites, routes, known, local } = open;
    const seen = await everythingSeen(sites.owner, routes, known);
    const text = seen.map((one) => one.text).join('\n');
    const marks = await marksOfLyon(local, sites);
    expect(marks.filter((mark) => !text.includes(mark))).toEqual([]);
  });
});
