import { newCode } from '../../support/participants.ts';
import { created, type Person } from '../../support/people.ts';
import { inDays, newProgram } from '../../support/programs.ts';
import { tables as ofReminders } from '../../support/reminder-rows.ts';
import type { LockedWorld } from '../../support/worker/locked-worlds.ts';
import { newPhone, world } from '../../support/worker/world.ts';

/** One request: the parameters of the path, the body, and the status of a refusal that must come. */
export interface Try {
  params: Record<string, string>;
  body?: unknown;
  refused?: number;
}

/** The request to a route that writes, and the tables in which it may change rows at all when it succeeds. */
export interface LockCase {
  tries: (world: LockedWorld, actor: Person) => Try[] | Promise<Try[]>;
  changes?: string[];
  /** It takes from the world what the other routes need: the next one gets a new world. */
  spoils?: boolean;
}

/** Each locked item alone, beside an open one, and all at once. */
const itemsTries =
  (...statuses: string[]) =>
  (world: LockedWorld, actor: Person): Try[] => {
    const params = { id: world.study.id };
    const of = (...list: string[]) => list.map((identifier) => ({ identifier }));
    const lists = [
      { cases: of(world.lockedCase) },
      { cases: of(world.archivedCase) },
      { responses: of(world.lockedResponse) },
      { cases: of(world.openCase), responses: of(world.responseInLockedCase) },
      { cases: of(world.openCase, world.lockedCase), responses: of(world.openResponse) },
      { cases: of(world.lockedCase, world.archivedCase), responses: of(world.lockedResponse) },
    ];
    return statuses.flatMap((status) =>
      lists.map((list) => ({
        params,
        body: { ...list, status, reason: 'a try' },
        refused:
          status === 'active' && statuses.includes('deleted') && actor !== world.study.owner ? 403 : 423,
      })),
    );
  };

/** On a webhook of the study, as its owner added it; or on another one, since one is not tested twice at once. */
const onWebhook =
  (body?: unknown, which: 'any' | 'new' = 'any') =>
  async ({ study }: LockedWorld): Promise<Try[]> => {
    const { webhooks } = (await study.owner.get(`/investigation/${study.id}/webhooks`)).body;
    const known = which === 'any' ? webhooks[0] : undefined;
    const url = 'https://hooks.example.org/';
    const { identifier } =
      known ?? created(await study.owner.post(`/investigation/${study.id}/webhook`, { url }));
    return [{ params: { id: identifier }, ...(body !== undefined && { body }) }];
  };

const onUser = (body?: unknown) => () => [{ params: { id: 'me' }, ...(body !== undefined && { body }) }];

export const lockCases: Record<string, LockCase> = {
  'POST /investigation/:id/lock-items': {
    // Unlocking is what a lock allows; locking once more changes nothing, and writes nothing.
    tries: ({ study, lockedCase, archivedCase, lockedResponse }) => [
      {
        params: { id: study.id },
        body: {
          cases: [{ identifier: lockedCase }, { identifier: archivedCase }],
          responses: [{ identifier: lockedResponse }],
          status: 'locked',
          reason: 'again',
        },
      },
    ],
  },
  'POST /investigation/:id/lock-matching': {
    // Everything that is locked stays so; the rest may become it.
    tries: ({ study, lockedCase }) => [
      { params: { id: study.id }, body: { status: 'locked', filter: {}, dryRun: true } },
      {
        params: { id: study.id },
        body: { status: 'locked', filter: { case: lockedCase, kinds: ['cases'] } },
      },
      // The study declares no properties.
      {
        params: { id: study.id },
        body: { status: 'unlocked', filter: { properties: { site: ['lyon'] } } },
        refused: 400,
      },
    ],
  },
  'POST /investigation/:id/freeze': {
    tries: ({ study }, actor) => [
      { params: { id: study.id }, body: { status: 'frozen', reason: 'a try' } },
      { params: { id: study.id }, body: { status: 'active', reason: 'a try' } },
      {
        params: { id: study.id },
        body: { status: 'frozen', reason: 'a try', properties: { site: ['lyon'] } },
        refused: actor === study.owner ? 400 : 403,
      },
    ],
    changes: ['investigation', 'activity'],
  },
  'POST /investigation/:id/activity/review': {
    tries: ({ study }) => [{ params: { id: study.id }, body: { from: 1, to: 2, comment: 'a try' } }],
    changes: ['activity'],
  },
  'POST /investigation/:id/archive-items': { tries: itemsTries('archived', 'active') },
  'POST /investigation/:id/delete-items': { tries: itemsTries('deleted', 'active') },
  'PATCH /case/:id': {
    tries: ({ lockedCase, archivedCase }) =>
      [lockedCase, archivedCase].flatMap((id) => [
        { params: { id }, body: { label: 'Changed' }, refused: 423 },
        { params: { id }, body: { hidden: true }, refused: 423 },
        { params: { id }, body: { properties: { site: null } }, refused: 423 },
        { params: { id }, body: {}, refused: 423 },
      ]),
  },
  'PATCH /response/:id': {
    tries: ({ lockedResponse, responseInLockedCase }) =>
      [lockedResponse, responseInLockedCase].flatMap((id) => [
        { params: { id }, body: { items: { q1: 'changed' } }, refused: 423 },
        { params: { id }, body: { items: { q1: null } }, refused: 423 },
        { params: { id }, body: { reasons: { q2: 1 } }, refused: 423 },
      ]),
  },
  'POST /survey/:id/response': {
    tries: ({ study, lockedCase, archivedCase, lockedResponse, openCase }) => [
      ...[lockedCase, archivedCase].map((id) => ({
        params: { id: study.survey },
        body: { case: id, items: { q1: 'new' } },
        refused: 423,
      })),
      {
        params: { id: study.survey },
        body: { case: lockedCase, items: { q1: 'new' }, identifier: lockedResponse },
        refused: 409,
      },
      // Created again, word for word: found by whoever gave it, and left as it is.
      {
        params: { id: study.survey },
        body: { case: openCase, items: { q1: 'well' }, identifier: lockedResponse },
      },
    ],
  },
  'POST /set-aside/:id/place': {
    tries: ({ study, setAside, lockedCase, archivedCase }, actor) =>
      [lockedCase, archivedCase].map((into) => ({
        params: { id: setAside },
        body: { case: into },
        refused: actor === study.responder ? 403 : 423,
      })),
  },
  'POST /set-aside/:id/discard': {
    tries: ({ setAside }) => [{ params: { id: setAside }, body: {} }],
    changes: ['set_aside', 'investigation', 'activity'],
    spoils: true,
  },
  'POST /investigation/:id/case': {
    tries: ({ study, lockedCase }) => [
      { params: { id: study.id }, body: { label: 'Changed', identifier: lockedCase }, refused: 409 },
    ],
  },

  // These do not concern items; their tables are named, so that they change nothing else.
  'POST /user': { tries: () => [{ params: {}, body: { name: 'Again' } }] },
  'PATCH /user/:id': { tries: onUser({ name: 'Renamed' }), changes: ['user'] },
  'PUT /user/:id/pause': { tries: onUser({ until: null }), changes: ['user'] },
  'DELETE /user/:id/pause': { tries: onUser(), changes: ['user'] },
  'POST /investigation': {
    tries: () => [{ params: {}, body: { name: 'Another' } }],
    changes: ['investigation', 'member', 'activity', 'user'],
  },
  'PATCH /investigation/:id': {
    tries: ({ study }) => [
      { params: { id: study.id }, body: { name: 'Renamed' } },
      { params: { id: study.id }, body: { status: 'archived' } },
      { params: { id: study.id }, body: { status: 'active' } },
    ],
    changes: ['investigation', 'activity', 'survey', ofReminders.work],
  },
  'DELETE /investigation/:id': {
    tries: async ({ study }) => {
      await study.owner.patch(`/investigation/${study.id}`, { status: 'archived' });
      return [{ params: { id: study.id } }];
    },
    changes: ['deleted_study', 'activity', 'survey', ofReminders.work],
    spoils: true,
  },
  'POST /investigation/:id/restore': { tries: ({ study }) => [{ params: { id: study.id } }] },
  'POST /investigation/:id/member': {
    tries: ({ study }) => [{ params: { id: study.id }, body: { email: 'eve@example.org', role: 'editor' } }],
    changes: ['invitation', 'investigation'],
  },
  'POST /investigation/:id/enrolment': {
    tries: ({ study }) => [{ params: { id: study.id }, body: { uses: 5 } }],
    changes: ['enrolment', 'activity'],
  },
  'DELETE /enrolment/:id': {
    tries: async ({ study }) => [{ params: { id: (await newCode(study.owner, study.id)).identifier } }],
    changes: ['enrolment', 'activity'],
  },
  // Nobody here has just signed in.
  'POST /investigation/:id/token': {
    tries: ({ study }, actor) => [
      {
        params: { id: study.id },
        body: { label: 'Copy', expiresAt: inDays(1) },
        refused: actor === study.owner ? 401 : 403,
      },
    ],
  },
  'DELETE /investigation/:id/token/:token': {
    tries: async ({ study }) => [
      { params: { id: study.id, token: (await newProgram(world, study.owner, study.id)).id } },
    ],
    changes: ['user', 'member', 'investigation', 'activity'],
  },
  'POST /enrol/about': {
    tries: async ({ study }) => [{ params: {}, body: { code: (await newCode(study.owner, study.id)).code } }],
    changes: [],
  },
  'POST /enrol': {
    tries: async ({ study }) => [
      { params: {}, body: { code: (await newCode(study.owner, study.id)).code, name: 'Eve' } },
    ],
    changes: ['enrolment', 'investigation', 'user', 'member', 'activity', ofReminders.work],
  },
  // Everybody here has an account at the provider.
  'POST /investigation/:id/member/:user/relink': {
    tries: ({ study }) => [{ params: { id: study.id, user: study.responder.id }, refused: 403 }],
  },
  'POST /user/me/token': { tries: () => [{ params: {}, refused: 403 }] },
  'POST /user/me/relink': { tries: () => [{ params: {}, refused: 403 }] },
  'DELETE /user/me/tokens': { tries: () => [{ params: {}, refused: 403 }] },
  // Nobody is invited here: a member is answered what they are.
  'POST /user/:id/invitations/:investigation/accept': {
    tries: ({ study }) => [{ params: { id: 'me', investigation: study.id } }],
  },
  'POST /user/:id/invitations/:investigation/decline': {
    tries: ({ study }) => [{ params: { id: 'me', investigation: study.id }, refused: 404 }],
  },
  'PATCH /investigation/:id/member/:user': {
    tries: ({ study }) => [
      { params: { id: study.id, user: study.responder.id }, body: { role: 'editor' } },
      { params: { id: study.id, user: study.responder.id }, body: { role: 'responder' } },
      { params: { id: study.id, user: study.responder.id }, body: { code: 'P-017' } },
    ],
    changes: ['member', 'member_code', 'activity', 'user', ofReminders.work],
  },
  'POST /investigation/:id/members/dates': {
    tries: ({ study }) => [
      {
        params: { id: study.id },
        body: { members: [{ user: study.responder.id, participation: { from: '2027-03-01' } }] },
      },
    ],
    changes: ['member', 'activity', ofReminders.work],
  },
  'POST /investigation/:id/survey': {
    tries: ({ study }) => [{ params: { id: study.id }, body: { name: 'Mood', items: [] } }],
    changes: ['survey', 'activity', 'investigation'],
  },
  'PATCH /survey/:id': {
    tries: ({ study }) => [{ params: { id: study.survey }, body: { name: 'Renamed' } }],
    changes: ['investigation', 'survey', 'activity'],
  },
  'POST /survey/:id/download': {
    tries: ({ study }) => [{ params: { id: study.survey } }],
    changes: [ofReminders.downloads, 'user', ofReminders.work, 'member'],
  },
  'POST /notification/:id/receipt': {
    tries: () => [{ params: { id: 'a'.repeat(32) }, body: { event: 'opened' }, refused: 404 }],
  },
  'POST /user/me/receipts': {
    tries: () => [
      {
        params: {},
        body: {
          receipts: [{ notification: 'a'.repeat(32), event: 'opened', at: '2027-03-01T00:00:00.000Z' }],
        },
      },
    ],
  },
  'POST /notification/:id/snooze': {
    tries: () => [{ params: { id: 'a'.repeat(32) }, body: { minutes: 30 }, refused: 404 }],
  },
  'POST /survey/:id/reminders/change': {
    tries: ({ study }) => [{ params: { id: study.survey }, body: { reminders: null } }],
  },
  'POST /reminders/preview': { tries: () => [{ params: {}, body: {}, refused: 400 }] },
  'POST /user/:id/device': {
    tries: () => [
      {
        params: { id: 'me' },
        body: { platform: 'android', token: crypto.randomUUID(), timeZone: 'Europe/Paris' },
      },
    ],
    changes: ['device', 'user', ofReminders.work, 'member'],
  },
  'PATCH /device/:id': {
    tries: ({ phone }) => [{ params: { id: phone.id }, body: { timeZone: 'Asia/Tokyo' } }],
    changes: ['device', 'user', ofReminders.work],
  },
  'DELETE /device/:id': {
    tries: async (_, actor) => [{ params: { id: (await newPhone(actor)).id } }],
    changes: ['device', 'user', ofReminders.work],
  },
  'POST /investigation/:id/webhook': {
    tries: ({ study }) => [{ params: { id: study.id }, body: { url: 'https://hooks.example.org/' } }],
    changes: ['webhook', 'activity'],
  },
  'PATCH /webhook/:id': { tries: onWebhook({ state: 'paused' }), changes: ['webhook', 'activity'] },
  'DELETE /webhook/:id': { tries: onWebhook(), changes: ['webhook', 'activity'] },
  'POST /webhook/:id/rotate': { tries: onWebhook(), changes: ['webhook', 'activity'] },
  'POST /webhook/:id/replay': { tries: onWebhook({ after: 0 }, 'new'), changes: ['webhook', 'activity'] },
  'POST /webhook/:id/test': { tries: onWebhook(undefined, 'new'), changes: ['webhook'] },
  // Taken with the relay's signature only.
  'POST /relay/events': { tries: () => [{ params: {}, body: {} }] },
  'POST /device/:id/test': { tries: ({ phone }) => [{ params: { id: phone.id } }] },
  'DELETE /investigation/:id/member/:user': {
    tries: ({ study }) => [{ params: { id: study.id, user: study.responder.id } }],
    changes: ['member', 'activity', 'user', ofReminders.work, ofReminders.scheduled, 'investigation'],
    spoils: true,
  },
  'DELETE /user/:id': {
    tries: onUser(),
    changes: [
      'user',
      'device',
      'member',
      'activity',
      ofReminders.work,
      ofReminders.scheduled,
      'investigation',
    ],
    spoils: true,
  },
};
