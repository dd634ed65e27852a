import type { Page } from 'playwright-core';
import { type ApiOptions, type Caller, signIn } from '../api.ts';
import { type Shot, showFourWeeks } from './shots.ts';

/* Difficult pages: empty, overfull, or with errors. */

const timeZone = 'Europe/Paris';
const longName =
  'A multi-centre, double-blind study of sleep, shift work and recovery in emergency wards (follow-up)';
const names = [
  'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh the Younger of Llanfairpwllgwyngyll',
  'نور الهدى بنت عبد الرحمن',
  '<b>Bold</b> & "Quoted" <script>alert(1)</script>',
];

interface Item {
  identifier: string;
}

/** A study with nothing in it, one with long and odd names, and one that is frozen, all of one person. */
export async function seedHard(options: ApiOptions) {
  const ada = await signIn(options, { subject: 'shots-ada', email: 'ada@example.org' });
  await ada.call('POST', '/user', { name: 'Ada Lindqvist', timeZone });
  const create = async (name: string) =>
    (await ada.call<Item>('POST', '/investigation', { name, timeZone })).identifier;
  const [empty, long, locked, frozen, signing, archived, deleted] = [
    await create('New study'),
    await create(longName),
    await create('Locked study'),
    await create('Frozen study'),
    await create('Study with signatures'),
    await create('Archived study'),
    await create('Deleted study'),
  ];
  await fill(options, ada, long);
  await lockCases(ada, locked);
  await ada.call('POST', `/investigation/${frozen}/case`, { label: 'Night 1' });
  await ada.call('POST', `/investigation/${frozen}/freeze`, { status: 'frozen', reason: 'Final analysis' });
  await ada.call('POST', `/investigation/${signing}/case`, { label: 'Night 1' });
  const lockPolicy = { unlock: 'owners', signature: true };
  await ada.call('PATCH', `/investigation/${signing}`, { lockPolicy });
  for (const study of [archived, deleted])
    await ada.call('PATCH', `/investigation/${study}`, { status: 'archived' });
  await ada.call('DELETE', `/investigation/${deleted}`);
  return { token: ada.token, empty, long, locked, frozen, signing, archived, deleted };
}

async function fill(options: ApiOptions, ada: Caller, study: string) {
  const { identifier: survey } = await ada.call<Item>('POST', `/investigation/${study}/survey`, {
    name: `${longName}, daily diary`,
    items: [{ identifier: 'q1', label: 'كيف نمت؟' }],
  });
  for (const [n, name] of names.entries()) {
    const person = await signIn(options, { subject: `shots-${n}`, email: `shots-${n}@example.org` });
    const { identifier: user } = await person.call<Item>('POST', '/user', { name, timeZone: 'Asia/Kolkata' });
    await ada.call('POST', `/investigation/${study}/member`, { user, role: 'responder' });
    const label = `${name}, night ${n}`;
    const { identifier } = await ada.call<Item>('POST', `/investigation/${study}/case`, { label });
    const items = { q1: `${'Slept badly. '.repeat(60)}نمت جيدا` };
    await person.call('POST', `/survey/${survey}/response`, { case: identifier, items });
  }
  const email = `${'a-very-long-address-of-somebody-'.repeat(2)}@example.org`;
  await ada.call('POST', `/investigation/${study}/member`, { email, role: 'editor' });
}

/** Of three cases two are locked: one with a long reason, one without any. */
async function lockCases(ada: Caller, study: string) {
  const reasons = [`${'Monitored on site, twice. '.repeat(10)}تمت المراجعة`, undefined];
  for (const [n, reason] of [...reasons.entries(), [2, ''] as const]) {
    const { identifier } = await ada.call<Item>('POST', `/investigation/${study}/case`, {
      label: names[n] ?? '',
    });
    if (reason !== '')
      await ada.call('POST', `/investigation/${study}/lock-items`, {
        cases: [{ identifier }],
        status: 'locked',
        ...(reason && { reason }),
      });
  }
}

/** Answers one of the page's requests with a problem. */
const refuse = (page: Page, url: string, status: number, code: string, detail: string) =>
  page.route(url, (route) =>
    route.fulfill({
      status,
      contentType: 'application/problem+json',
      json: { type: 'about:blank', title: detail, status, code, detail },
    }),
  );

/** Everything that may need attention, at once. */
async function showExceptions(page: Page) {
  const first = names.map((name, n) => ({ user: `${n}`.repeat(32), name }));
  const counts = { unreachable: 1000, silent: 34, paused: 2, 'never-downloaded': 1 };
  const attention = Object.entries(counts).map(([reason, count]) => ({
    reason,
    count,
    more: count === 1000,
    first: first.slice(0, count),
  }));
  await page.route('**/compliance/attention', (route) => route.fulfill({ json: { attention } }));
  const json = { status: 'late', causes: ['overdue', 'relay'] };
  await page.route('**/health/ready', (route) => route.fulfill({ status: 503, json }));
  await showFourWeeks(page);
}

/** In the middle of undoing a large lock. */
async function showUndoing(page: Page) {
  const matched = { cases: 20_000, responses: 80_000, activity: 'f'.repeat(32) };
  await page.route('**/lock-matching', (route) => route.fulfill({ json: matched }));
  const cases = Array.from({ length: 1000 }, () => ({ identifier: matched.activity }));
  await page.route('**/activity/*/items*', (route) =>
    route.fulfill({ json: { cases, responses: [], next: 'more' } }),
  );
  let undone = 0;
  await page.route('**/lock-items', (route) => (++undone < 35 ? route.fulfill({ status: 204 }) : undefined));
  await page.getByRole('button', { name: 'Lock by filter' }).click();
  await page.getByRole('button', { name: 'Count matching items' }).click();
  await page.getByRole('button', { name: /^Lock \d/ }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.locator('progress[value="34000"]').waitFor();
}

export const hardShots = ({
  empty,
  long,
  locked,
  frozen,
  signing,
  archived,
  deleted,
}: Awaited<ReturnType<typeof seedHard>>): readonly Shot[] => [
  ...['overview', 'participants', 'data', 'surveys', 'members', 'activity'].flatMap((screen) => [
    { name: `empty-${screen}`, path: `/console/studies/${empty}/${screen}` },
    { name: `long-${screen}`, path: `/console/studies/${long}/${screen}` },
  ]),
  { name: 'exceptions', path: `/console/studies/${long}/overview`, act: showExceptions },
  { name: 'participants-attention', path: `/console/studies/${long}/participants?attention=unreachable` },
  { name: 'participants-failed', path: `/console/studies/${long}/participants?attention=failed` },
  { name: 'invitations', path: `/console/studies/${long}/members#invitations` },
  {
    name: 'undo-by-filter',
    path: `/console/studies/${long}/data`,
    act: showUndoing,
  },
  { name: 'frozen', path: `/console/studies/${frozen}/data?kind=cases` },
  { name: 'deleted', path: '/console/deleted' },
  { name: 'just-deleted', path: `/console/deleted/${deleted}` },
  { name: 'archived', path: `/console/studies/${archived}/settings` },
  {
    name: 'delete-study',
    path: `/console/studies/${archived}/settings`,
    act: (page) => page.getByRole('button', { name: 'Delete study' }).click(),
  },
  {
    name: 'signature',
    path: `/console/studies/${signing}/data?kind=cases`,
    act: async (page) => {
      await page.getByRole('checkbox', { name: 'Night 1' }).click();
      await page.getByRole('button', { name: 'Lock', exact: true }).click();
      await page.getByRole('dialog').getByLabel('Reason').fill('Monitored on site');
    },
  },
  { name: 'nothing-here', path: '/console/studies/none' },
  {
    name: 'long-person',
    path: `/console/studies/${long}/participants`,
    act: async (page) => {
      await page.getByRole('link', { name: 'نور' }).click();
      await page.getByRole('heading', { name: 'Next reminders' }).waitFor();
    },
  },
  {
    name: 'long-response',
    path: `/console/studies/${long}/data`,
    act: async (page) => {
      await page.locator('tbody a').first().click();
      await page.getByRole('heading', { name: /^Response for / }).waitFor();
      await page.getByRole('button', { name: 'Show the whole answer' }).waitFor();
    },
  },
  { name: 'locked-cases', path: `/console/studies/${locked}/data?kind=cases` },
  {
    name: 'locked-selected',
    path: `/console/studies/${locked}/data?kind=cases`,
    act: (page) => page.getByRole('checkbox', { name: 'Select all' }).click(),
  },
  {
    name: 'locked-case',
    path: `/console/studies/${locked}/data?kind=cases`,
    act: async (page) => {
      await page.locator('tbody a').first().click();
      await page.getByRole('button', { name: 'Unlock' }).waitFor();
    },
  },
  {
    name: 'locked-meanwhile',
    path: `/console/studies/${long}/data`,
    act: async (page) => {
      await page.getByRole('checkbox', { name: 'Select all' }).click();
      await page.getByRole('button', { name: 'Archive' }).click();
      await refuse(page, '**/archive-items', 423, 'item.locked', 'One of the items is locked.');
      await page.getByRole('button', { name: /^Archive 3/ }).click();
      await page.getByText('Locked items cannot be changed').first().waitFor();
    },
  },
  {
    name: 'forbidden',
    path: `/console/studies/${long}/members`,
    act: async (page) => {
      await refuse(page, '**/member*', 403, 'action.forbidden', 'Only owners invite.');
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      await page.getByLabel('E-mail address').fill('dana@example.org');
      await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
      await page.getByRole('dialog').locator('.note').waitFor();
    },
  },
  {
    name: 'failed',
    path: `/console/studies/${long}/surveys`,
    act: async (page) => {
      await refuse(page, '**/activity?*', 400, 'request.failed', 'The service failed.');
      await page.getByRole('link', { name: 'Activity' }).click();
      await page.locator('.note.danger').first().waitFor();
    },
  },
  {
    name: 'offline',
    path: `/console/studies/${long}/members`,
    act: async (page) => {
      await page.context().setOffline(true);
      await page.getByRole('link', { name: 'Surveys' }).click();
      await page.getByText('No connection to the service.').waitFor();
      await page.locator('.note.danger').first().waitFor();
    },
  },
  {
    name: 'expired',
    path: `/console/studies/${long}/participants`,
    act: async (page) => {
      await refuse(page, '**/surveys?*', 401, 'auth.token-expired', 'The token has expired.');
      await page.getByRole('link', { name: 'Surveys' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  // Last: nobody is signed in any more.
  {
    name: 'sign-in',
    path: '/console',
    act: async (page) => {
      await page.evaluate('sessionStorage.clear()');
      await page.reload();
      await page.getByRole('heading', { name: 'Sign in to Fieldbell' }).waitFor();
    },
  },
];
