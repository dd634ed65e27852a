import type { Context, Finished } from '../../simulator/context.ts';
import type { SimulatedDatabase } from '../../simulator/database.ts';
import { randomScenario } from '../../simulator/random.ts';
import { simulate } from '../../simulator/run.ts';
import { readScenario, type ScenarioFile } from '../../simulator/scenario.ts';
import { emailOf, keepToken, tokenOf } from '../../simulator/tokens.ts';
import { encodeCursor } from '../../src/http/lists/paging.ts';
import { longTextsOf, placed, placesOfTexts } from '../http/support/costs/long-texts.ts';
import { type Made, makeRequest, type Route, routesOf } from '../http/support/fuzz/requests.ts';
import { Random } from '../support/random.ts';

/** The things of the honest people, which nobody else may change. */
export interface Honest {
  /** Instant, phone and title, in the order of the pushes for their surveys. */
  pushes: string[];
  /** By person: what they read about themselves. */
  people: Record<string, unknown>;
  /** Their cases and responses with locks, and the study with its surveys and members, as the founder reads them. */
  study: unknown;
  /** The round trips and statements of each person's reads. */
  costs: Record<string, number[]>;
}

export interface Outcome {
  honest: Honest;
  /** Successful requests of hostile people, by operation. */
  done: Map<string, number>;
  /** Requests of hostile people that were answered with 5xx. */
  failures: string[];
  /** Answers to the editor of another site that have an identifier of honest people which the request had not. */
  leaks: string[];
}

/**
 * A responder of the honest study, the owner of another study, an app with a valid token, somebody with a poster's code, and an
 * editor of another site of the study.
 */
const intruders = ['Mallory', 'Oscar', 'Trudy', 'Petra', 'Edda'] as const;
type Intruder = (typeof intruders)[number];

/** A random study without faults, whose people are all there from the start: what differs is then due to the acts. */
function calmScenario(seed: number): ScenarioFile {
  const { faults: _, latency: __, ...rest } = randomScenario(seed, { groups: 0 });
  const here = { properties: { site: 'here' } };
  return {
    ...rest,
    study: { ...rest.study, properties: [{ name: 'site', values: ['here', 'elsewhere'] }] },
    members: rest.members.map(({ joins: ___, ...member }, n) => ({ ...member, ...(n > 0 && here) })),
  };
}

/** Runs a random study beside hostile people, who send `acts` requests. `fault`: SQL that breaks the service. */
export async function runBeside(seed: number, acts: number, fault?: string): Promise<Outcome> {
  const scenario = readScenario(calmScenario(seed));
  const done = new Map<string, number>();
  const failures: string[] = [];
  const leaks: string[] = [];
  for (const who of intruders) await tokenOf(who);
  return simulate(scenario, async (run) => ({ honest: await readHonest(run), done, failures, leaks }), {
    async populate(context, database) {
      if (fault !== undefined) await database.query(fault);
      const places = await settle(context);
      const routes = await readRoutes(context);
      const random = new Random(seed);
      const each = Math.floor(acts / intruders.length);
      const hours = scenario.until - scenario.from;
      if (each === 0) return;
      for (const who of intruders)
        void context.world.spawn(
          who,
          async () => {
            for (let n = 0; n < each; n++) {
              await context.world.wait(random.int((2 * hours) / (each + 1)));
              // They know of everything that happens at the other site.
              const theirs = who === 'Edda' ? await readTheirs(context, database) : [];
              if (who === 'Edda') await know(places[who], database);
              const made =
                who === 'Oscar' && random.chance(0.1)
                  ? invitation(random, places[who])
                  : makeAllowed(routes, random, places[who], context);
              const { status, body } = await context.people.raw(who, made.path, made);
              const told = JSON.stringify(body);
              const asked = `${made.path} ${made.body ?? ''}`;
              const leak = theirs.find((id) => told.includes(id) && !asked.includes(id));
              if (leak !== undefined) leaks.push(`${JSON.stringify(made)}: ${leak} in ${told.slice(0, 500)}`);
              if (status < 400) done.set(made.operation, (done.get(made.operation) ?? 0) + 1);
              // The simulator runs no idle sweeps, so that it is never ready.
              if (status >= 500 && made.operation !== 'readiness')
                failures.push(`${who}: ${JSON.stringify(made)}: ${status}`);
              learn(places[who], body);
            }
          },
          false,
        );
    },
  });
}

/** The identifiers of the participants at the other site, and of their cases and responses. */
async function readTheirs({ records }: Context, database: SimulatedDatabase): Promise<string[]> {
  const people = [...records.members.values()].filter(({ role }) => role === 'responder').map(({ id }) => id);
  const things = await database.query(
    `select id from study_case where creator_id in (select value from json_each(?1)) and properties ->> '$.site[0]' = 'here'
      union all select r.id from response r join study_case c on c.id = r.case_id where c.properties ->> '$.site[0]' = 'here'`,
    JSON.stringify(people),
  );
  return [...people.filter((id) => id !== ''), ...things.map(({ id }) => String(id))];
}

/** Makes known what there is to name. */
async function know({ words }: Places, database: SimulatedDatabase) {
  for (const [noun, table] of [
    ['/case', 'study_case'],
    ['/response', 'response'],
    ['/notification', 'notification'],
    ['/set-aside', 'set_aside'],
    ['/enrolment', 'enrolment'],
    ['/device', 'device'],
    ['/activity', 'activity'],
  ] as const) {
    const rows = await database.query(`select id from ${table} order by id desc limit 20`);
    const ids = rows.map(({ id }) => String(id));
    if (ids.length > 0) words[noun] = ids;
  }
  words.case = words['/case'] ?? [];
}

interface Places {
  identifiers: string[];
  emails: string[];
  words: Record<string, string[]>;
}

/** Signs the hostile people up, in each run, and returns the names that each of them knows. */
async function settle({ people, records }: Context): Promise<Record<Intruder, Places>> {
  const { study, surveys, members } = records;
  const [mallory, oscar, trudy] = await Promise.all(
    intruders
      .slice(0, 3)
      .map(async (who) => (await people.once(who, 'POST', '/user', { name: who })).body.identifier),
  );
  const { code } = (
    await people.once(study.founder, 'POST', `/investigation/${study.id}/enrolment`, { uses: 1_000 })
  ).body;
  const { user: petra, token } = (await people.once('Trudy', 'POST', '/enrol', { code })).body;
  keepToken('Petra', token);
  const added = await people.once(study.founder, 'POST', `/investigation/${study.id}/member`, {
    user: mallory,
    role: 'responder',
  });
  if (added.status !== 201) throw new Error(`Mallory is no member: ${added.status} ${added.body.detail}`);
  const edda = (await people.once('Edda', 'POST', '/user', { name: 'Edda' })).body.identifier;
  const editor = await people.once(study.founder, 'POST', `/investigation/${study.id}/member`, {
    ...{ user: edda, role: 'editor', scope: { site: ['elsewhere'] } },
  });
  if (editor.status !== 201) throw new Error(`Edda is no member: ${editor.status} ${editor.body.detail}`);
  const own = (await people.once('Oscar', 'POST', '/investigation', { name: 'Own' })).body.identifier;
  const survey = await people.once('Oscar', 'POST', `/investigation/${own}/survey`, {
    name: 'Own',
    items: [],
  });
  const honestUsers = [...members.values()].map(({ id }) => id);
  const honestSurveys = [...surveys.values()].map(({ id }) => id);
  const users = [...honestUsers, mallory, oscar, trudy, petra.identifier];
  const placesOf = (studies: string[], of: string[]): Places => ({
    identifiers: [...users, ...studies, ...of],
    emails: [...members.keys(), ...intruders].map(emailOf).concat('zoe@example.org'),
    words: {
      '/user': ['me', 'me', ...users],
      '/member': [...users, 'me'],
      '/investigation': studies,
      '/invitations': studies,
      '/survey': of,
      survey: of,
      code: [code],
      user: ['me', ...users],
      cursor: [[1], ['', ''], [Date.now(), '', '2027-03-01']].map(encodeCursor),
      item: ['q1'],
      platform: ['android', 'ios'],
      token: ['hostile-1', 'hostile-2'],
      timeZone: ['UTC', 'Pacific/Apia', 'Mars/Olympus'],
      recurrence: ['30 21 * * *', '0 8 * * 1,3,5', '* * * * *'],
      on: ['2027-03-28'],
    },
  });
  return {
    Mallory: placesOf([study.id], honestSurveys),
    Oscar: placesOf([own, own, study.id], [survey.body.identifier, ...honestSurveys]),
    Trudy: placesOf([study.id, own], [...honestSurveys, survey.body.identifier]),
    Petra: placesOf([study.id], honestSurveys),
    Edda: placesOf([study.id], honestSurveys),
  };
}

async function readRoutes({ people }: Context): Promise<Route[]> {
  const { body } = await people.once('Oscar', 'GET', '/openapi.json');
  // A deleted account or a membership that ended does no more harm.
  const ending = ['deleteUser', 'removeMember', 'receiveRelayEvent'];
  return routesOf(body).filter(({ operation }) => !ending.includes(operation.operationId));
}

/**
 * A request to any route. Adding a user by identifier is left out: only the user can have given theirs away, and it is
 * theirs to leave again.
 */
function makeAllowed(routes: Route[], random: Random, places: Places, { records }: Context): Made {
  for (;;) {
    const route = random.pick(routes);
    const drawn = makeRequest(route, random, places);
    const made = random.chance(0.04) ? lengthened(route, drawn, random) : drawn;
    const names = [...records.members.values()].some(({ id }) => made.body?.includes(id));
    if (made.path.startsWith('/') && !(made.operation === 'addMember' && names)) return made;
  }
}

/** The request with a long text in one of the places for texts; the drawn method may be one without a body. */
function lengthened({ operation }: Route, made: Made, random: Random): Made {
  if (made.method === 'GET') return made;
  const places = placesOfTexts(operation.requestBody?.content['application/json']?.schema ?? {});
  if (places.length === 0) return made;
  const { example } = operation.requestBody?.content['application/json'] ?? {};
  const body = placed(example ?? {}, random.pick(places), random.pick(Object.values(longTexts)));
  return {
    ...made,
    body: JSON.stringify(body),
    headers: { ...made.headers, 'content-type': 'application/json' },
  };
}

const longTexts = longTextsOf(20_000);

/** To the owner's own study, of anybody whose address is known. */
const invitation = (random: Random, { emails, words }: Places): Made => ({
  operation: 'addMember',
  method: 'POST',
  path: `/investigation/${words['/investigation']?.[0]}/member`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ email: random.pick(emails), role: 'responder' }),
});

/** Remembers the identifiers of created things. */
function learn({ identifiers, words }: Places, body: unknown) {
  const uri = (body as { uri?: unknown } | null)?.uri;
  const [, kind, identifier] = /^\/?(\w+)\/([0-9a-f]{32})$/.exec(String(uri)) ?? [];
  if (!kind || !identifier || identifiers.includes(identifier)) return;
  identifiers.push(identifier);
  words[`/${kind}`] = [...(words[`/${kind}`] ?? []), identifier];
}

async function readHonest({ people, records, relay, database }: Finished): Promise<Honest> {
  const { study, surveys, members } = records;
  const ours = new Set([...surveys.values()].map(({ id }) => id));
  const users = new Set([...members.values()].map(({ id }) => id));
  const costs: Honest['costs'] = {};
  const read = async (who: string, path: string) => {
    const before = [database.counts.trips, database.counts.statements];
    const { status, body } = await people.once(who, 'GET', path);
    const after = [database.counts.trips, database.counts.statements];
    costs[`${who} ${path}`] = after.map((count, n) => count - (before[n] ?? 0));
    return { status, body };
  };
  const own: Honest['people'] = {};
  for (const { name } of members.values())
    own[name] = [
      await read(name, '/user/me'),
      await read(name, '/investigation'),
      await read(name, '/user/me/devices'),
      await read(name, '/user/me/agenda'),
      await read(name, '/user/me/notifications?limit=1000'),
    ];
  const at = `/investigation/${study.id}`;
  const elements = async (path: string) => {
    const { body } = await people.once(study.founder, 'GET', path);
    const list = (Object.values(body ?? {}).find(Array.isArray) ?? []) as Record<string, unknown>[];
    return list.filter((one) =>
      users.has(String(one.creatorIdentifier ?? one.responder).replace(/^.*\//, '')),
    );
  };
  return withoutIdentifiers({
    pushes: relay.accepted
      .filter(
        (push) => ours.has(push.survey) && [...members.keys()].some((name) => push.token.startsWith(name)),
      )
      .map((push) => `${new Date(push.at).toISOString()} ${push.token} ${push.title}`),
    people: own,
    study: {
      itself: (await people.once(study.founder, 'GET', at)).body,
      surveys: (await people.once(study.founder, 'GET', `${at}/surveys`)).body,
      cases: (await elements(`${at}/cases?status=all`)).map(
        ({ label, hidden, lockedAt, status, editedAt }) => ({ label, hidden, lockedAt, status, editedAt }),
      ),
      responses: (await elements(`${at}/responses?status=all`)).map(
        ({ survey, items, lockedAt, status, editedAt }) => ({ survey, items, lockedAt, status, editedAt }),
      ),
    },
    costs,
  });
}

/** New things have other identifiers in each run, so that each is replaced by the order of its first appearance. */
function withoutIdentifiers<T>(value: T): T {
  const known = new Map<string, string>();
  const numbered = (text: string) => {
    const number = known.get(text) ?? `#${known.size + 1}`;
    known.set(text, number);
    return number;
  };
  return JSON.parse(JSON.stringify(value).replaceAll(/[0-9a-f]{32}|message-\d+/g, numbered));
}
