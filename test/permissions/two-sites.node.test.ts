import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Known,
  type ReadingRoute,
  type RoutesDocument,
  readingRoutes,
} from '../../simulator/questions.ts';
import { type Answer, type Person, signUp } from '../support/people.ts';
import { responseIn } from '../support/studies.ts';
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

/** A third: everything is in the lists, and one by one. */
const some = <T>(list: readonly T[]) => list.filter((_, n) => n % 3 === 0);

const idsOf = async ({ client }: LocalApp, sql: string, ...values: string[]): Promise<string[]> => {
  const { rows } = await client.execute({ sql, values });
  return rows.map(([id]) => String(id));
};

/** All identifiers, codes and words by which somebody may ask, also for what they may not see. */
async function knownOf(
  local: LocalApp,
  { study, survey, blinded, people, taken, codes, ...rest }: TwoSites,
): Promise<Known> {
  const users = [...people.lyon, ...people.paris].map(({ id }) => id);
  const surveys = [survey, ...(blinded ? [blinded] : [])];
  const all = [...taken.values()];
  const responses = await idsOf(local, 'select id from response order by id');
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
    item: [...some(all.map((one) => one.case)), ...some(some(responses))],
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

/** Marks of what is of Lyon alone: texts by their mark, and the identifiers of its people and things. */
async function marksOfLyon(local: LocalApp, { people, taken, codes, survey }: TwoSites): Promise<string[]> {
  const users = people.lyon.map(({ id }) => id);
  const list = JSON.stringify(users);
  const ofUsers = 'in (select value from json_each(?))';
  const cases = await idsOf(local, `select id from study_case where creator_id ${ofUsers}`, list);
  const ofCases = JSON.stringify(cases);
  return [
    lyonMark,
    `${lyonMark.toLowerCase()}@`,
    ...users,
    ...cases,
    ...(await idsOf(local, `select id from response where case_id ${ofUsers}`, ofCases)),
    ...(await idsOf(
      local,
      `select v.id from response_revision v join response r on r.id = v.response_id where r.case_id ${ofUsers}`,
      ofCases,
    )),
    ...(await idsOf(local, `select id from notification where user_id ${ofUsers}`, list)),
    ...people.lyon.flatMap((person) => [
      taken.get(person)?.device ?? '-',
      taken.get(person)?.setAside ?? '-',
    ]),
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

/** The marks that are told, by route; a request that names one of them itself may have it back in its error. */
function leaksIn(seen: readonly Seen[], marks: readonly string[]): Map<string, string> {
  const leaks = new Map<string, string>();
  for (const { route, request, text } of seen)
    for (const mark of marks) {
      const at = text.indexOf(mark);
      if (at === -1 || request.includes(encodeURIComponent(mark)) || leaks.has(route)) continue;
      leaks.set(route, `${mark} at ${request}: ${text.slice(Math.max(0, at - 200), at + 200)}`);
    }
  return leaks;
}

/** Open to whoever knows the identifier, or without a token. */
const openRoutes = ['/user/{id}/avatar', '/openapi.json', '/docs', '/health/ready'];

const readBy = ({ sites, routes, known }: Searched, who: string, only = /./): Promise<Seen[]> =>
  everythingSeen(
    sites.staff[who] as Person,
    routes.filter(({ path }) => only.test(path) && !openRoutes.includes(path)),
    known,
  );

async function searched(world: Searched, who: string, marks: readonly string[]) {
  const seen = await readBy(world, who);
  expect(seen.filter(({ status }) => status < 300).length, who).toBeGreaterThan(50);
  const failed = seen.filter(({ status }) => status >= 500);
  expect([...new Set(failed.map(({ route }) => route))]).toEqual([]);
  return leaksIn(seen, marks);
}

/** The chain of the log goes on for everybody, and so do the numbers of the feed, and what somebody has exported. */
const goesOn = /\/activity|\/changes|\/user\/\{id\}\/export/;

/** Readings of somebody, by request, without what may go on. */
const readingsOf = (seen: readonly Seen[]) =>
  new Map(
    seen
      .filter(({ route }) => !goesOn.test(route))
      .map(({ request, status, text }) => [request, `${status} ${text}`]),
  );

/** The requests whose answers are others than before. */
function changedIn(before: readonly Seen[], after: readonly Seen[]): string[] {
  const later = readingsOf(after);
  return [...readingsOf(before)].flatMap(([request, text]) =>
    later.get(request) === text ? [] : [`${request}: ${text}\nnow: ${later.get(request)}`],
  );
}

const done = async (answered: Promise<Answer>) => {
  const { status, text } = await answered;
  expect(status, text).toBeLessThan(300);
};

let open: Searched;
let blind: Searched;
beforeAll(async () => {
  open = await sitesOf(false);
  blind = await sitesOf(true);
});
afterAll(() => {
  open.local.close();
  blind.local.close();
});

const ofParis = ['monitor of paris', 'editor of paris', 'program of paris'];
const ofBoth = ['monitor', 'editor'];

describe('everything that staff of Paris can read has nothing of Lyon:', () => {
  test.each(ofParis)('the %s', async (who) => {
    expect(await searched(open, who, await marksOfLyon(open.local, open.sites))).toEqual(new Map());
  });

  test.each(ofParis)('the %s, in a study with a blinded survey', async (who) => {
    expect(await searched(blind, who, await marksOfLyon(blind.local, blind.sites))).toEqual(new Map());
  });

  test('while an owner reads all of it', async () => {
    const { sites, routes, known, local } = open;
    const seen = await everythingSeen(sites.owner, routes, known);
    const text = seen.map((one) => one.text).join('\n');
    const marks = await marksOfLyon(local, sites);
    const missing = marks.filter((mark) => !text.includes(mark));
    // The address that is invited, and the phone of somebody who has left.
    expect(missing.length).toBeLessThanOrEqual(2);
  });
});

describe('everything that staff who are no owners can read has nothing of a blinded survey or property:', () => {
  test.each([...ofBoth, ...ofParis])('the %s', async (who) => {
    expect(await searched(blind, who, await marksOfBlinded(blind.local, blind.sites))).toEqual(new Map());
  });

  test('while an owner reads all of it', async () => {
    const { sites, routes, known, local } = blind;
    const seen = await everythingSeen(sites.owner, routes, known);
    const text = seen.map((one) => one.text).join('\n');
    const marks = await marksOfBlinded(local, sites);
    expect(marks.filter((mark) => !text.includes(mark))).toEqual([]);
  });
});

describe('a rule that is broken is found by what some routes tell:', () => {
  /** The condition of a scope, or of a survey that is not shown, as if everything fitted. */
  const broken: Record<string, (sql: string) => string> = {
    scope: (sql) => sql.replaceAll(' v where v.value = ', ' v where 1 or v.value = '),
    survey: (sql) =>
      sql
        .replaceAll(/ indexed by survey_blinded\w*/g, '')
        .replaceAll(/\bb\.blinded\b/g, '0')
        .replaceAll(/not "?surveys?"?\."?blinded"?/g, '1'),
  };

  const only = (route: string) => new RegExp(`^${route.slice('GET '.length).replaceAll(/[{}]/g, '\\$&')}$`);

  const everything = [
    ['cases', 'scope', 'GET /investigation/{id}/cases'],
    ['a case', 'scope', 'GET /case/{id}'],
    ['responses', 'scope', 'GET /investigation/{id}/responses'],
    ['a response', 'scope', 'GET /response/{id}'],
    ['people', 'scope', 'GET /investigation/{id}/members'],
    ['a person', 'scope', 'GET /investigation/{id}/member/{user}'],
    ['the log', 'scope', 'GET /investigation/{id}/activity'],
    ['the items of its entries', 'scope', 'GET /investigation/{id}/activity/{entry}/items'],
    ['the feed', 'scope', 'GET /investigation/{id}/changes'],
    ['compliance', 'scope', 'GET /investigation/{id}/compliance'],
    ['occurrences', 'scope', 'GET /investigation/{id}/occurrences'],
    ['answers that are set aside', 'scope', 'GET /investigation/{id}/set-aside'],
    ['codes', 'scope', 'GET /investigation/{id}/enrolments'],
    ['surveys', 'survey', 'GET /investigation/{id}/surveys'],
    ['responses of a blinded survey', 'survey', 'GET /investigation/{id}/responses'],
    ['occurrences of a blinded survey', 'survey', 'GET /investigation/{id}/occurrences'],
  ] as const;

  const worldOf = async (rule: string) => {
    const world = rule === 'scope' ? open : blind;
    return {
      world,
      who: rule === 'scope' ? 'editor of paris' : 'editor',
      marks: await (rule === 'scope' ? marksOfLyon : marksOfBlinded)(world.local, world.sites),
    };
  };

  const brokenBy = async <T>({ local }: Searched, rule: string, work: () => Promise<T>): Promise<T> => {
    local.planted.rewrite = broken[rule] as (sql: string) => string;
    return work().finally(() => {
      local.planted.rewrite = (sql) => sql;
    });
  };

  test.each(everything)('%s, the %s', async (_, rule, route) => {
    const { world, who, marks } = await worldOf(rule);
    const read = () => readBy(world, who, only(route));
    expect([...leaksIn(await read(), marks).keys()], 'without the fault').toEqual([]);
    expect([...leaksIn(await brokenBy(world, rule, read), marks).keys()]).toEqual([route]);
  });

  test.each([
    ['the days of compliance', 'scope', 'GET /investigation/{id}/compliance/daily'],
    ['attention', 'scope', 'GET /investigation/{id}/compliance/attention'],
    ['counts of answers', 'scope', 'GET /survey/{id}/answer-counts'],
    ['the days of compliance', 'survey', 'GET /investigation/{id}/compliance/daily'],
  ] as const)('numbers of %s, the %s', async (_, rule, route) => {
    const { world, who } = await worldOf(rule);
    const read = () => readBy(world, who, only(route));
    const before = await read();
    expect(changedIn(before, await read()), 'without the fault').toEqual([]);
    expect(changedIn(before, await brokenBy(world, rule, read)).length).toBeGreaterThan(0);
  });

  test.each([
    ['the study', 'GET /investigation/{id}'],
    ['members', 'GET /investigation/{id}/members'],
    ['a table of members', 'GET /investigation/{id}/compliance'],
    ['codes', 'GET /investigation/{id}/enrolments'],
  ] as const)('%s, a property that is no longer blinded', async (_, route) => {
    const { world, marks } = await worldOf('property');
    const { client } = world.local;
    const read = () => readBy(world, 'editor', only(route));
    expect([...leaksIn(await read(), marks).keys()], 'without the fault').toEqual([]);
    const [[course] = []] = (await client.execute('select course from investigation')).rows;
    await client.execute("update investigation set course = json_remove(course, '$.properties[1].blinded')");
    const leaks = await read();
    await client.execute({ sql: 'update investigation set course = ?', values: [course] });
    expect([...leaksIn(leaks, marks).keys()]).toEqual([route]);
  });
});

describe('nothing of what somebody reads changes with what happens', () => {
  test.each(ofParis)('in Lyon, for the %s', async (who) => {
    const before = await readBy(open, who);
    await happens(open);
    expect(changedIn(before, await readBy(open, who))).toEqual([]);
  });

  /** A member more, and a case, answers, an edit, a lock, a code, a phone and a date more, of people whom Paris does not see. */
  async function happens({ local, sites }: Searched) {
    const { study, survey, owner, people, taken, staff } = sites;
    const at = `/investigation/${study}`;
    const [chidi, dana] = people.lyon as [Person, Person];
    const leo = staff['editor of lyon'] as Person;
    const lockAll = (status: string) =>
      owner.post(`${at}/lock-matching`, { status, filter: { properties: { site: ['lyon'] } } });
    await done(lockAll('unlocked'));
    const guest = await signUp(local.world, `${lyonMark} guest`);
    await done(
      owner.post(`${at}/member`, { user: guest.id, role: 'responder', properties: { site: 'lyon' } }),
    );
    await done(chidi.post(`${at}/case`, { label: `${lyonMark} more` }));
    for (const person of [chidi, dana])
      await done(
        person.post(`/survey/${survey}/response`, { case: taken.get(person)?.case, items: { q1: 'more' } }),
      );
    await done(leo.post(`${at}/case`, { label: `${lyonMark} of Leo` }));
    await done(lockAll('locked'));
    await done(leo.post(`${at}/enrolment`, { label: `${lyonMark} code` }));
    await done(leo.patch(`${at}/member/${dana.id}`, { dates: { surgery: '2031-02-02' } }));
    await done(chidi.put('/user/me/pause', { until: null }));
    for (const person of people.lyon.slice(0, 3)) {
      const { notifications } = (await person.get('/user/me/notifications')).body;
      const sent = notifications.filter((one: { state: string }) => one.state === 'sent');
      expect(sent.length).toBeGreaterThan(0);
      for (const { identifier } of sent)
        await done(person.post(`/notification/${identifier}/receipt`, { event: 'opened' }));
    }
    await local.settle();
  }

  test.each(ofBoth)('of a blinded survey, for the %s', async (who) => {
    const before = await readBy(blind, who);
    const { study, blinded, people, taken } = blind.sites;
    const [chidi] = people.lyon as [Person];
    const given = await chidi.post(`/survey/${blinded}/response`, {
      case: taken.get(chidi)?.case,
      items: { q1: 'more' },
    });
    const responses = [{ identifier: responseIn(given) }];
    await done(chidi.patch(`/response/${responses[0]?.identifier}`, { items: { q1: 'less' } }));
    await done(chidi.post(`/investigation/${study}/lock-items`, { responses, status: 'locked' }));
    await blind.local.settle();
    expect(changedIn(before, await readBy(blind, who))).toEqual([]);
  });
});
