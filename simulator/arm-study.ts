import { type Features, featuresOf, type Labelled, type Reading, type Watched } from './arm-features.ts';
import type { Context } from './context.ts';
import type { SimulatedDatabase } from './database.ts';
import { seeded } from './determinism.ts';
import { type Known, pathsOf, queriesOf, readingRoutes } from './questions.ts';
import { simulate } from './run.ts';
import { readScenario, type ScenarioFile } from './scenario.ts';
import { tokenOf } from './tokens.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const from = Date.parse('2027-06-08T00:00:00Z');

/** The staff who may not tell the arms. */
const reader = 'Bruno';
const owner = 'Ada';

/** Ways in which the arms of a study could be told: each is a fault of a service, or of those who run the study. */
export const leaks = {
  'the property is not blinded': 'everybody of the staff is shown the survey, and all that is of it',
  'the property is shown': 'a survey that stays hidden, but members show their arm',
  'the survey is shown': 'a property that stays hidden, but the survey does not',
  'a limit for each day counts hidden reminders': 'the last reminder of the day is held back in one arm',
  'the feed is not refused': 'it has the answers to the hidden survey',
  'a case for each answer': 'cases are of the study, and not of a survey',
  'apps that are opened for answers alone': 'people were last seen at the time of the hidden survey',
} as const;
export type Leak = keyof typeof leaks;

/** The leak that no service can close; documents say how a study avoids it. */
export const unhideable: readonly Leak[] = ['a case for each answer'];

/** A way that would be a leak, had it not been closed. */
export const closed: readonly Leak[] = ['apps that are opened for answers alone'];

const people = Array.from({ length: 16 }, (_, n) => `Participant ${n + 1}`);

/**
 * A study of two days at a random time of which somebody reads everything that a blinded editor may read. A fair coin
 * decides each participant's arm, and the arm alone whether a hidden survey reminds them; they answer it as often as the other.
 */
export async function readArmStudy(seed: number, leak?: Leak): Promise<Labelled> {
  const random = seeded(seed ^ 0xa1b2);
  const below = (n: number) => Math.floor(random() * n);
  const isB = new Map(people.map((name) => [name, random() < 0.5]));
  const hours = [9 + below(4), 14 + below(4)] as [number, number];
  const [mood, diary] = random() < 0.5 ? hours : [hours[1], hours[0]];
  const readAt = from + dayMs + (15 + below(9)) * hourMs + below(60) * minuteMs;
  const acts = people.flatMap((name) => [
    ...actsOf({ name, random, hour: diary, survey: 'Diary' }),
    ...actsOf({ name, random, hour: mood, survey: 'Mood' }).filter(() => isB.get(name)),
  ]);
  const scenario = readScenario(
    fileOf(seed, { mood, diary, isB, isBlinded: leak !== 'the property is not blinded' }),
  );
  for (const name of [owner, reader]) await tokenOf(name);
  let readings: Reading[] = [];
  let watched: Watched[] = [];
  await simulate(scenario, async () => {}, {
    crowded: true,
    async populate(context, database) {
      const cases = await casesOf(context);
      await plantIn(context, database, leak);
      for (const act of acts.toSorted((a, b) => a.at - b.at))
        void later(context, act.at, act.who, () =>
          answer(context, { ...act, own: cases.get(act.who), leak }),
        );
      if (leak !== 'apps that are opened for answers alone')
        for (const who of people) void poll(context, who, below(hourMs));
      void later(context, readAt, reader, async () => {
        watched = await watchedIn(context, cases);
        readings = await readAll(context, watched, leak);
      });
    },
  });
  const byName = featuresOf(readings, watched);
  const ids = new Map(watched.map(({ id, means }) => [id, means.at(-1) ?? '']));
  return {
    features: byName as Map<string, Features>,
    isB: new Map([...byName.keys()].map((id) => [id, isB.get(ids.get(id) ?? '') === true])),
  };
}

interface Act {
  at: number;
  who: string;
  survey: string;
  does: 'answers' | 'opens' | 'edits' | 'locks';
}

/** Most reminders are answered, some edited or locked afterwards. */
function actsOf({
  name,
  random,
  hour,
  survey,
}: {
  name: string;
  random: () => number;
  hour: number;
  survey: string;
}) {
  return [0, 1].flatMap((day): Act[] => {
    const at = from + day * dayMs + hour * hourMs + Math.floor(random() * 90 * minuteMs);
    const act = (does: Act['does'], after: number): Act => ({ at: at + after, who: name, survey, does });
    return [
      ...(random() < 0.6 ? [act('opens', 1000)] : []),
      ...(random() < 0.8 ? [act('answers', 20_000)] : []),
      ...(random() < 0.3 ? [act('edits', 50_000)] : []),
      ...(random() < 0.2 ? [act('locks', 90_000)] : []),
    ];
  });
}

function fileOf(
  seed: number,
  {
    mood,
    diary,
    isB,
    isBlinded,
  }: { mood: number; diary: number; isB: Map<string, boolean>; isBlinded: boolean },
): ScenarioFile {
  const at = (hour: number) => ({
    type: 'rolling',
    recurrence: `0 ${hour} * * *`,
    notification: { subject: 'Study', body: 'How are you?' },
  });
  return {
    name: 'Two arms',
    seed,
    from: new Date(from).toISOString(),
    until: new Date(from + 2 * dayMs).toISOString(),
    study: {
      timeZone: 'UTC',
      startsOn: '2027-06-08',
      properties: [{ name: 'arm', values: ['a', 'b'], ...(isBlinded && { blinded: true as const }) }],
    },
    surveys: [
      { name: 'Diary', reminders: at(diary) },
      { name: 'Mood', reminders: at(mood), for: { arm: ['b'] } },
    ],
    members: [
      { name: owner, role: 'owner' },
      { name: reader, role: 'editor' },
      ...people.map((name) => ({
        name,
        properties: { arm: isB.get(name) ? 'b' : 'a' },
        phones: [{ name: 'pixel', timeZone: 'UTC' }],
      })),
    ],
    reconcile: true,
  };
}

const later = (context: Context, at: number, who: string, work: () => Promise<unknown>) =>
  context.world.spawn(
    who,
    async () => {
      await context.world.wait(at - context.world.at());
      await context.people.act(who, async () => void (await work()));
    },
    false,
  );

/** The app asks each hour what is due, at a minute of its own. */
function poll(context: Context, who: string, after: number) {
  return context.world.spawn(
    who,
    async () => {
      await context.world.wait(after);
      for (; context.world.at() < from + 2 * dayMs; await context.world.wait(hourMs))
        await context.people.once(who, 'GET', '/user/me/agenda');
    },
    false,
  );
}

/** One case for each participant, before anything is answered. */
async function casesOf({ people: asked, records }: Context): Promise<Map<string, string>> {
  const cases = new Map<string, string>();
  for (const name of people) {
    const made = await asked.once(name, 'POST', `/investigation/${records.study.id}/case`, {
      label: `Of ${name}`,
    });
    cases.set(name, made.body.identifier);
  }
  return cases;
}

async function answer(context: Context, act: Act & { own: string | undefined; leak: Leak | undefined }) {
  const { people: asked, records, relay } = context;
  const { who, survey, does, leak } = act;
  const at = `/investigation/${records.study.id}`;
  const id = records.surveys.get(survey)?.id;
  const kept = responses.get(`${who} ${survey}`);
  if (does === 'opens') {
    const token = records.members.get(who)?.phones[0]?.token;
    const push = relay.accepted.findLast((one) => one.survey === id && one.token === token);
    if (push) await asked.once(who, 'POST', `/notification/${push.collapseId}/receipt`, { event: 'opened' });
  } else if (does === 'answers') {
    const made =
      leak === 'a case for each answer'
        ? await asked.once(who, 'POST', `${at}/case`, { label: 'Night' })
        : null;
    const given = await asked.once(who, 'POST', `/survey/${id}/response`, {
      case: made?.body.identifier ?? act.own,
      items: { q1: 'well' },
    });
    responses.set(`${who} ${survey}`, String(given.body.uri).slice(-32));
  } else if (does === 'edits' && kept)
    await asked.once(who, 'PATCH', `/response/${kept}`, { items: { q1: `${act.at}` } });
  else if (does === 'locks' && kept)
    await asked.once(who, 'POST', `${at}/lock-items`, {
      responses: [{ identifier: kept }],
      status: 'locked',
    });
}

/** The last answer of each person to each survey. */
const responses = new Map<string, string>();

/** Breaks one rule of the service, by its data. */
async function plantIn({ records }: Context, database: SimulatedDatabase, leak: Leak | undefined) {
  responses.clear();
  const mood = records.surveys.get('Mood')?.id ?? '';
  const diary = records.surveys.get('Diary')?.id ?? '';
  if (leak === 'the property is shown')
    await database.query("update investigation set course = json_remove(course, '$.properties[0].blinded')");
  if (leak === 'the survey is shown')
    await database.query('update survey set blinded = 0 where id = ?', mood);
  if (leak === 'a limit for each day counts hidden reminders')
    await database.query(`create trigger limited after update of state, answered_at, opened_at on notification begin
        update notification set state = 'skipped', reason = 'daily-limit' where user_id = new.user_id
          and survey_id = '${diary}' and substr(occurrence, 1, 10) = substr(new.occurrence, 1, 10) and state = 'sent'
          and exists (select 1 from notification hidden where hidden.user_id = new.user_id and hidden.survey_id = '${mood}'
            and substr(hidden.occurrence, 1, 10) = substr(new.occurrence, 1, 10) and hidden.state = 'sent'); end`);
}

/** The participants, with everything that means them: the name is the last. */
async function watchedIn(
  { people: asked, records }: Context,
  cases: Map<string, string>,
): Promise<Watched[]> {
  const { body } = await asked.once(owner, 'GET', `/investigation/${records.study.id}/responses?limit=1000`);
  const given = body.responses as { identifier: string; responder: string }[];
  return people.map((name) => {
    const id = records.members.get(name)?.id ?? '';
    const own = given.filter(({ responder }) => responder.includes(id)).map(({ identifier }) => identifier);
    return { id, means: [id, cases.get(name) ?? '-', ...own, name] };
  });
}

/** Everything that the reader may ask, about everybody and about each. */
async function readAll(
  context: Context,
  watched: readonly Watched[],
  leak: Leak | undefined,
): Promise<Reading[]> {
  const { people: asked, records } = context;
  const { body: document } = await asked.once(reader, 'GET', '/openapi.json');
  const ids = watched.map(({ id }) => id);
  const all = await namesIn(context);
  const known: Known = {
    '/user': ids,
    '/member': ids,
    '/investigation': [records.study.id],
    '/invitations': [records.study.id],
    '/survey': [records.surveys.get('Diary')?.id ?? ''],
    ...all,
    '/enrolment': [],
    '/set-aside': [],
    '/device': [],
    '/notification': [],
    '/webhook': [],
    '/token': [],
    '/problems': ['item.locked'],
    user: ids,
    responder: ids,
    code: [],
    case: watched.map(({ means }) => means[1] ?? ''),
    item: watched.map(({ means }) => means[1] ?? ''),
    survey: [records.surveys.get('Diary')?.id ?? ''],
    property: [],
    device: [],
    cursor: [],
    mark: [],
    limit: ['1000'],
    after: ['0'],
    since: ['1'],
    at: [],
    from: ['2027-06-08'],
    to: ['2027-06-10'],
  };
  const readings: Reading[] = [];
  for (const route of readingRoutes(document)) {
    if (/^\/(?:docs|openapi|health|console|push|metrics|problems|user\/me)/.test(route.path)) continue;
    for (const path of pathsOf(route.path, known))
      for (const query of queriesOf(route, known)) {
        const url = query ? `${path}?${query}` : path;
        const { status, body } = await asked.once(reader, 'GET', url);
        const about =
          watched.find(({ means }) => means.some((one) => one !== '' && url.includes(one)))?.id ?? null;
        readings.push({ question: url.replaceAll(/[0-9a-f]{32}/g, '#'), about, status, body });
      }
  }
  return leak === 'the feed is not refused' ? [...readings, await feedOf(context)] : readings;
}

/** Responses and entries that are read one by one, too. */
const mostSingle = 12;

/** Cases, responses and entries of the log that the reader is shown. */
async function namesIn({ people: asked, records }: Context) {
  const list = async (name: string, key = name) => {
    const { body } = await asked.once(reader, 'GET', `/investigation/${records.study.id}/${name}?limit=1000`);
    return ((body[key] ?? []) as { identifier: string }[]).map(({ identifier }) => identifier);
  };
  return {
    '/case': await list('cases'),
    '/response': (await list('responses')).slice(0, mostSingle),
    '/activity': (await list('activity', 'activities')).slice(0, mostSingle),
  };
}

/** The feed as it would be if it were not refused: with all that changed, but for properties. */
async function feedOf({ people: asked, records }: Context): Promise<Reading> {
  const { status, body } = await asked.once(
    owner,
    'GET',
    `/investigation/${records.study.id}/changes?after=0&limit=1000&include=body`,
  );
  const changes = JSON.parse(
    JSON.stringify(body.changes, (key, value) => (key === 'properties' ? undefined : value)),
  );
  return { question: 'changes', about: null, status, body: { changes } };
}
