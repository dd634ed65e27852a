import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { type ApiOptions, type Caller, signIn } from '../api.ts';
import type { Shot } from './shots.ts';

/* Changes while somebody looks: another person makes each of them through the API while the page is open. */

const timeZone = 'Europe/Paris';

interface Item {
  identifier: string;
}

/** A participant with a reminder that their phone has got, and that nobody has answered. */
interface Reminded extends Caller {
  case: string;
}

const names = ['Ana Ruiz', 'Ben Okoye', 'Cleo Marsh', 'Dan Ivanov', 'Eva Lund', 'Finn Daly'];

/** A study of people whose evening reminder follows their answer of the morning at once. */
export async function seedLive(
  options: Omit<ApiOptions, 'signal'> & {
    platforms: readonly string[];
  },
) {
  // Changes are made as long as pictures are taken.
  const { signal } = new AbortController();
  const person = (name: string) =>
    signIn({ ...options, signal }, { subject: `shots-live-${name}`, email: `live-${name}@example.org` });
  const [owner, editor] = [await person('owner'), await person('editor')];
  await owner.call('POST', '/user', { name: 'Lena Brandt', timeZone });
  const { identifier: user } = await editor.call<Item>('POST', '/user', { name: 'Omar Said', timeZone });
  const { identifier: study } = await owner.call<Item>('POST', '/investigation', {
    name: 'Recovery after surgery',
    timeZone,
  });
  await owner.call('POST', `/investigation/${study}/member`, { user, role: 'editor' });
  const survey = async (name: string, reminders?: object) =>
    (
      await owner.call<Item>('POST', `/investigation/${study}/survey`, {
        name,
        items: [{ identifier: 'pain', label: 'How strong is the pain, from 0 to 10?' }],
        ...(reminders && { reminders }),
      })
    ).identifier;
  const morning = await survey('Morning');
  const evening = await survey('Evening', {
    type: 'triggered',
    recurrence: null,
    trigger: { survey: morning, after: 0 },
    notification: { subject: 'Evening', body: 'How is the pain now?' },
  });
  const people: Reminded[] = [];
  for (const [n, name] of names.entries()) {
    const one = await person(String(n));
    const { identifier } = await one.call<Item>('POST', '/user', { name, timeZone });
    await owner.call('POST', `/investigation/${study}/member`, { user: identifier, role: 'responder' });
    const token = createHash('sha512').update(name).digest('hex');
    await one.call('POST', '/user/me/device', { platform: options.platforms[0], token, timeZone });
    for (const downloaded of [morning, evening]) await one.call('POST', `/survey/${downloaded}/download`);
    const label = `${name}, day 1`;
    const own = await owner.call<Item>('POST', `/investigation/${study}/case`, { label });
    await one.call('POST', `/survey/${morning}/response`, { case: own.identifier, items: { pain: '4' } });
    people.push({ ...one, case: own.identifier });
  }
  const patience = AbortSignal.timeout(60_000);
  for (const one of people) await reminded(one, patience);
  return { token: owner.token, study, editor, evening, people };
}

async function reminded({ call }: Caller, signal: AbortSignal) {
  interface Page {
    notifications: { state: string }[];
  }
  for (;;) {
    const { notifications } = await call<Page>('GET', '/user/me/notifications');
    if (notifications.some(({ state }) => state === 'sent')) return;
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

export function liveShots({
  study,
  editor,
  evening,
  people,
}: Awaited<ReturnType<typeof seedLive>>): readonly Shot[] {
  /** The first look at the feed is over: a change from now on is news. */
  const isLooking = (page: Page) => page.waitForResponse('**/changes?*');
  const addCase = (label: string) =>
    editor.call<Item>('POST', `/investigation/${study}/case`, { label: `Ward round, ${label}` });
  const waiting = [...people];
  let round = 0;
  return [
    {
      name: 'live-rows',
      path: '/data?kind=cases',
      act: async (page) => {
        await isLooking(page);
        const [first, second] = people;
        const label = `Ana Ruiz, day ${++round + 1}`;
        await editor.call('PATCH', `/case/${first?.case}`, { label });
        await editor.call('POST', `/investigation/${study}/lock-items`, {
          cases: [{ identifier: second?.case }],
          status: round % 2 === 1 ? 'locked' : 'unlocked',
          reason: 'Checked with the ward',
        });
        await addCase(`day ${round}`);
        for (const mark of ['New', 'Changed'])
          await page.locator('.fresh', { hasText: mark }).first().waitFor();
      },
    },
    {
      name: 'live-waiting',
      path: '/activity',
      act: async (page) => {
        await page.getByText(/^Verified/).waitFor();
        await page.locator('tbody tr').first().hover();
        await isLooking(page);
        const cases = [await addCase('night'), await addCase('late')];
        for (const { identifier } of cases)
          await editor.call('POST', `/investigation/${study}/lock-items`, {
            cases: [{ identifier }],
            status: 'locked',
            reason: 'Checked with the ward',
          });
        await page.getByRole('button', { name: 'Show 2 new rows' }).waitFor();
      },
    },
    {
      name: 'live-map',
      path: '/adherence',
      act: async (page) => {
        await isLooking(page);
        const answering = waiting.shift();
        if (!answering) throw new Error('everybody has answered');
        const answer = { case: answering.case, items: { pain: '2' } };
        await answering.call('POST', `/survey/${evening}/response`, answer);
        await page.locator('.map-cell[data-fresh]').waitFor();
      },
    },
  ];
}
