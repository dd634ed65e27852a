import type { Context } from './context.ts';
import type { SimulatedDatabase } from './database.ts';
import { type DeclaredProperty, namesBlinded, type Rule, slowFits, type Values } from './oracle/groups.ts';
import type { MemberRecord } from './records.ts';

/** The groups of a study, as the service keeps them. */
interface Groups {
  /** The items that are not deleted: a look during which one comes or goes tells nothing. */
  present: string;
  declared: readonly DeclaredProperty[];
  /** Members and former members by identifier; `role` is null for those who have left. */
  people: Map<string, { role: string | null; values: Values }>;
  cases: Map<string, Values>;
  surveys: Map<string, Rule | null>;
  /** Settled reminders that count, each with its survey and the properties that its person had then. */
  booked: { survey: string; values: Values }[];
}

// biome-ignore lint/suspicious/noExplicitAny: rows have any shape
type Row = any;

/** A list of the study, and which of an owner's rows somebody else sees. */
interface List {
  path: string;
  key: string;
  idOf: (row: Row) => string;
  isSeen: (row: Row, may: May) => boolean;
}

interface May {
  isOwner: boolean;
  survey: (id: string) => boolean;
  values: (values: Values | undefined) => boolean;
  person: (id: string) => boolean;
  participant: (id: string) => boolean;
  case: (id: string) => boolean;
}

const nobody = '0'.repeat(32);
const idIn = (text: unknown) => String(text).replace(/^.*\//, '');
const identifier = (row: Row) => String(row.identifier);

const lists: readonly List[] = [
  { path: 'surveys', key: 'surveys', idOf: identifier, isSeen: (row, may) => may.survey(row.identifier) },
  { path: 'members', key: 'members', idOf: memberOf, isSeen: (row, may) => may.person(memberOf(row)) },
  {
    path: 'cases?status=all',
    key: 'cases',
    idOf: identifier,
    isSeen: (row, may) => may.case(row.identifier),
  },
  {
    path: 'responses?status=all',
    key: 'responses',
    idOf: identifier,
    isSeen: (row, may) => may.case(idIn(row.case)) && may.survey(idIn(row.survey)),
  },
  {
    path: 'occurrences',
    key: 'occurrences',
    idOf: identifier,
    isSeen: (row, may) => may.participant(row.user) && may.survey(row.survey),
  },
  {
    path: 'set-aside',
    key: 'setAside',
    idOf: identifier,
    isSeen: (row, may) => may.participant(idIn(row.responder)) && may.survey(idIn(row.survey)),
  },
  {
    path: 'compliance?from=2000-01-01&to=2000-01-02',
    key: 'participants',
    idOf: (row) => String(row.user),
    isSeen: (row, may) => may.participant(row.user),
  },
];

function memberOf(row: Row): string {
  return idIn(row.user?.identifier ?? row.user ?? row.identifier);
}

/**
 * Lets each editor and monitor read the lists of the study, and says where they see more or less than the contract allows, in
 * sentences: an owner's rows of their part of it, without blinded surveys and properties. Null: things changed meanwhile.
 */
export async function lookAround(context: Context, database: SimulatedDatabase): Promise<string[] | null> {
  const { people, records } = context;
  const before = await readGroups(database, records.study.properties);
  const wrong: string[] = [];
  const at = `/investigation/${records.study.id}`;
  const read = async (who: string, { path, key }: List) => {
    const rows: Row[] = [];
    for (let next: string | undefined = ''; next !== undefined; ) {
      const more = next && `&cursor=${next}`;
      const { status, body } = await people.once(
        who,
        'GET',
        `${at}/${path}${path.includes('?') ? '&' : '?'}limit=1000${more}`,
      );
      if (status !== 200) throw new Error(`${who}: ${path}: ${status} ${body?.detail}`);
      rows.push(...body[key]);
      next = body.next;
    }
    return rows;
  };
  const readers = [...records.members.values()].filter(
    (one) => one.role !== 'owner' && one.role !== 'responder' && before.people.get(one.id)?.role,
  );
  for (const list of lists) {
    const all = await read(records.study.founder, list);
    for (const reader of readers) {
      const may = mayOf(before, reader);
      const seen = await read(reader.name, list);
      const expected = all.filter((row) => list.isSeen(row, may)).map(list.idOf);
      const found = seen.map(list.idOf);
      if (expected.toSorted().join() !== found.toSorted().join())
        wrong.push(
          `${reader.name} sees ${found.length} of ${list.path}, expected ${expected.length}: ${found}; ${expected}`,
        );
      wrong.push(
        ...seen.flatMap((row) =>
          toldBy(row, { list, before, may }).map((what) => `${reader.name}, ${list.path}: ${what}`),
        ),
      );
    }
  }
  for (const reader of readers) wrong.push(...(await lookAtNumbers(context, reader, before)));
  return JSON.stringify(await readGroups(database, records.study.properties)) === JSON.stringify(before)
    ? wrong
    : null;
}

/** Faults of a row: it says what it must not. */
function toldBy(row: Row, { list, before, may }: { list: List; before: Groups; may: May }): string[] {
  const blinded = before.declared.filter((one) => one.blinded).map(({ name }) => name);
  const shown = blinded.filter((name) => row.properties?.[name] !== undefined);
  const responder = list.key === 'responses' ? idIn(row.responder) : nobody;
  return [
    ...shown.map((name) => `${list.idOf(row)} shows ${name}`),
    ...(responder !== nobody && !may.person(responder) ? [`${list.idOf(row)} names ${responder}`] : []),
  ];
}

/** The totals of compliance, and the feed, which is closed where a property is blinded. */
async function lookAtNumbers(
  { people, records }: Context,
  reader: MemberRecord,
  groups: Groups,
): Promise<string[]> {
  const at = `/investigation/${records.study.id}`;
  const may = mayOf(groups, reader);
  const wrong: string[] = [];
  const { body } = await people.once(
    reader.name,
    'GET',
    `${at}/compliance?from=2026-01-01&to=2029-01-01&limit=1`,
  );
  const due = groups.booked.filter(({ survey, values }) => may.survey(survey) && may.values(values)).length;
  if (body?.totals !== undefined && body.totals.due !== due)
    wrong.push(`${reader.name} is told of ${body.totals.due} due reminders, expected ${due}`);
  const feed = await people.once(reader.name, 'GET', `${at}/changes?after=0&limit=1000`);
  const isClosed = groups.declared.some(({ blinded }) => blinded);
  if ((feed.status === 403) !== isClosed) wrong.push(`${reader.name} reads the feed: ${feed.status}`);
  const isHidden = ({ kind, identifier: id }: Row) =>
    (kind === 'case' && !may.case(id)) ||
    (kind === 'member' && !may.person(id)) ||
    (kind === 'survey' && !may.survey(id));
  const hidden = ((feed.body?.changes ?? []) as Row[]).filter(isHidden);
  if (hidden.length > 0) wrong.push(`${reader.name} reads of ${JSON.stringify(hidden[0])} in the feed`);
  return wrong;
}

function mayOf({ people, cases, surveys, declared }: Groups, { id, role, scope }: MemberRecord): May {
  const isOwner = role === 'owner';
  const values = (own: Values | undefined) => slowFits(scope, own ?? {});
  const participant = (user: string) => values(people.get(user)?.values);
  return {
    isOwner,
    values,
    participant,
    survey: (survey) => isOwner || !namesBlinded(surveys.get(survey) ?? null, declared),
    person: (user) => {
      const found = people.get(user);
      return user === id || (found?.role != null && found.role !== 'responder') || participant(user);
    },
    case: (one) => values(cases.get(one)),
  };
}

/** Reads past the front door. */
async function readGroups(
  database: SimulatedDatabase,
  declared: readonly DeclaredProperty[],
): Promise<Groups> {
  const rows = (sql: string) => database.query(sql);
  const own = (text: unknown): Values =>
    Object.fromEntries(
      Object.entries(JSON.parse(String(text ?? '{}')) as Record<string, [string]>).map(([name, [value]]) => [
        name,
        value,
      ]),
    );
  const parsed = (text: unknown) => (text === null ? null : JSON.parse(String(text)));
  const former = await rows(
    "select identifier as id, properties from change where kind = 'member' and state = 'removed'",
  );
  const members = await rows('select user_id as id, role, properties from member');
  const cases = await rows('select id, properties from study_case');
  const surveys = await rows('select id, "for" as rule from survey');
  const booked = await rows(
    'select survey_id as survey, properties from notification where outcome is not null',
  );
  const present = await rows(
    'select id from study_case where deleted_at is null union all select id from response where deleted_at is null order by id',
  );
  return {
    declared,
    present: present.map(({ id }) => id).join(),
    people: new Map<string, { role: string | null; values: Values }>([
      ...former.map((one) => [String(one.id), { role: null, values: own(one.properties) }] as const),
      ...members.map(
        (one) => [String(one.id), { role: String(one.role), values: own(one.properties) }] as const,
      ),
    ]),
    cases: new Map(cases.map(({ id, properties }) => [String(id), own(properties)])),
    surveys: new Map(surveys.map(({ id, rule }) => [String(id), parsed(rule ?? null)])),
    booked: booked.map(({ survey, properties }) => ({
      survey: String(survey),
      values: parsed(properties ?? null) ?? {},
    })),
  };
}

const lookMs = 5 * 3_600_000;

/** Lets the staff look around every few hours, while there is something to see. */
export function createLooks(
  context: Context,
  database: SimulatedDatabase,
  { from, until }: { from: number; until: number },
) {
  const { world, records } = context;
  // No more looks than a long study needs.
  const each = Math.max(lookMs, (until - from) / 12);
  let next = from + each;
  return {
    next: () => (records.study.properties.length > 0 && next < until ? next : null),
    fire() {
      next += each;
      void world
        .spawn(
          'a look around',
          async () => {
            // Nobody sees anything while the service is down or overloaded.
            const wrong = await lookAround(context, database).catch(() => null);
            if (wrong === null) return;
            records.looks.done++;
            records.looks.wrong.push(
              ...wrong.map((what) => `${new Date(world.at()).toISOString()}: ${what}`),
            );
          },
          false,
        )
        .catch(() => {});
    },
  };
}
