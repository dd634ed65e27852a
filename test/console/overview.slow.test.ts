import { expect, test } from 'vitest';
import { eventuallyPasses } from '../support/eventually.ts';
import { created, signUp } from '../support/people.ts';
import { newPhone } from '../support/phones.ts';
import { newStudy } from '../support/studies.ts';
import {
  describeConsole,
  expectAccessible,
  expectFitsPhone,
  settled,
  type Visit,
} from './support/console.ts';

let studies = 0;

/** Four weeks in which everybody was reminded daily, and fewer and fewer answered. */
const days = Array.from({ length: 28 }, (_, n) => ({
  date: `2027-03-${String(n + 1).padStart(2, '0')}`,
  due: 1200,
  sent: 1150,
  failed: 10,
  skipped: { 'no-device': 40 },
  shown: 1100,
  opened: 1000 - n,
  answered: 900 - 10 * n,
}));

const answerDays = (page: Visit, asked: URL[] = []) =>
  page.route('**/compliance/daily*', (route) => {
    asked.push(new URL(route.request().url()));
    return route.fulfill({
      json: { investigation: 'investigation/x', from: '2027-03-01', to: '2027-03-28', days },
    });
  });

describeConsole('the overview', (get) => {
  const newOne = () => newStudy(get().world, { of: `overview ${studies++}` });
  const path = (id: string) => `/studies/${id}`;

  test('draws what was due, sent, opened and answered, and has the same numbers as a table', async () => {
    const study = await newOne();
    const page: Visit = await get().newPage();
    const asked: URL[] = [];
    await answerDays(page, asked);
    await page.goto(`${get().service.url}/console${path(study.id)}#token=${study.editor.token}`);
    const plot = page.getByRole('img', {
      name: 'A line chart of all days. In total 33,600 due, 32,200 sent, 27,622 opened, 21,420 answered.',
    });
    await plot.locator('.series-answered').waitFor();
    const legend = page.locator('.legend');
    await legend.getByText('21,420').waitFor();
    await plot.hover();
    await legend.getByText(/Mar 2027/).waitFor();
    await page.getByText('Show the days as a table').click();
    const row = page.getByRole('row').filter({ hasText: '28 Mar 2027' });
    expect(await row.getByRole('cell').allTextContents()).toEqual(['1,200', '1,150', '973', '630']);
    await expectAccessible(page);
    await page.getByLabel('Survey').selectOption({ label: 'Diary' });
    await page.waitForURL(`**survey=${study.survey}`);
    await eventuallyPasses(() => expect(asked.at(-1)?.searchParams.get('survey')).toBe(study.survey));
    await page.reload();
    await plot.locator('.series-answered').waitFor();
    // Reasons for attention count all surveys.
    expect(asked.slice(-2).map((url) => url.searchParams.get('survey'))).toContain(study.survey);
    await expectFitsPhone(page);
    expect(page.complaints).toEqual([]);
  });

  test('says so when more need somebody than are counted, when pushes failed, and when reminders are late', async () => {
    const study = await newOne();
    const page = await get().newPage();
    await page.route('**/compliance/attention', (route) =>
      route.fulfill({
        json: {
          investigation: 'investigation/x',
          attention: ['unreachable', 'paused', 'silent', 'never-downloaded'].map((reason) => ({
            reason,
            count: reason === 'unreachable' ? 1000 : 0,
            more: reason === 'unreachable',
            first: reason === 'unreachable' ? [{ user: study.other.id, name: 'Somebody' }] : [],
          })),
        },
      }),
    );
    await answerDays(page);
    let isLate = true;
    await page.route('**/health/ready', (route) =>
      isLate
        ? route.fulfill({ status: 503, json: { status: 'late', causes: ['overdue', 'relay'] } })
        : route.fulfill({ json: { status: 'ready', causes: [] } }),
    );
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${get().service.url}/console${path(study.id)}#token=${study.editor.token}`);
    await page.getByText('1,000 or more cannot be reached').waitFor();
    await page.getByText('280 reminders failed in 28 days').waitFor();
    const late = page.locator('.late');
    await late.getByText('Reminders are late at the moment').waitFor();
    await late.getByText('no reminder has been delivered since').waitFor();
    const refused = 'The push service refuses the credentials or the settings of this service.';
    await late.getByText(refused).waitFor();
    await expectAccessible(page);
    await late.getByRole('button', { name: 'Copy the report' }).click();
    await late.getByText('Copied').waitFor({ state: 'attached' });
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain(refused);
    expect(copied).toContain('/health/ready');
    await expectFitsPhone(page);
    isLate = false;
    await late.getByRole('button', { name: 'Check again' }).click();
    await late.waitFor({ state: 'detached' });
  });

  test('says that nobody has answered yet, and that people answer once somebody has', async () => {
    const study = await newOne();
    for (const person of [study.responder, study.other]) {
      await newPhone(get().world, person, 'Europe/Paris');
      await person.post(`/survey/${study.survey}/download`);
    }
    for (const [answered, text] of [
      [0, 'Phones are reachable. Nobody has answered yet.'],
      [1, 'Phones are reachable, and people answer.'],
    ] as const) {
      const page = await get().newPage();
      const quiet = days
        .map((day) => ({ ...day, failed: 0, answered: 0 }))
        .with(3, {
          ...(days[3] as (typeof days)[number]),
          failed: 0,
          answered,
        });
      await page.route('**/compliance/daily*', (route) =>
        route.fulfill({
          json: { investigation: 'investigation/x', from: '2027-03-01', to: '2027-03-28', days: quiet },
        }),
      );
      await page.goto(`${get().service.url}/console${path(study.id)}#token=${study.editor.token}`);
      await page.locator('.note.good').getByText(text).waitFor();
    }
  });

  test('leads to whose reminders failed, and to them alone', async () => {
    const study = await newOne();
    const page = await get().newPage();
    const url = `${get().service.url}/console${path(study.id)}`;
    await answerDays(page);
    await page.goto(`${url}#token=${study.editor.token}`);
    const counts = { due: 3, sent: 2, skipped: {}, shown: 0, opened: 0, answered: 0 };
    const person = ({ id: user, name }: { id: string; name: string }, failed: number) => ({
      ...counts,
      user,
      name,
      failed,
      lastAnsweredAt: null,
      lastSeenAt: null,
      reachable: true,
      attention: [],
    });
    const pages = [
      { participants: [person(study.owner, 0)], next: 'second' },
      { participants: [person(study.other, 0), person(study.responder, 1)], next: 'third' },
      { participants: [] },
    ];
    const asked: (string | null)[] = [];
    await page.route('**/compliance?*', (route) => {
      const { searchParams } = new URL(route.request().url());
      if (searchParams.has('user')) return route.continue();
      asked.push(searchParams.get('cursor'));
      const head = {
        investigation: 'x',
        from: '2027-03-01',
        to: '2027-03-28',
        totals: person(study.owner, 1),
      };
      return route.fulfill({ json: { ...head, ...pages[(asked.length - 1) % pages.length] } });
    });
    await page.getByRole('link', { name: 'See whose reminders failed' }).click();
    await page.getByRole('rowheader', { name: study.responder.name }).waitFor();
    expect(await page.getByRole('rowheader').allTextContents()).toEqual([study.responder.name]);
    expect(await page.getByLabel('Show').inputValue()).toBe('failed');
    await page.getByRole('columnheader', { name: 'Failed' }).waitFor();
    await page.getByRole('row').filter({ hasText: study.responder.name }).getByText('0%').waitFor();
    // Nobody on the first page, somebody on the second, and no more is asked for.
    expect(asked).toEqual([null, 'second']);
    await page.getByRole('button', { name: 'Save all participants as CSV' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
    expect(asked).toEqual([null, 'second', 'third']);
    await page.getByRole('link', { name: study.responder.name }).click();
    await page.getByRole('heading', { level: 1, name: study.responder.name }).waitFor();
    await page.unroute('**/compliance?*');
    await page.goto(`${url}/participants?attention=failed`);
    await page.getByText('No participant’s reminder failed in this period').waitFor();
    await page.getByRole('button', { name: 'Show everyone' }).click();
    await page.getByRole('rowheader', { name: study.other.name }).waitFor();
    expect(page.complaints).toEqual([]);
  });

  test('does not take a long list of members for many invitations', async () => {
    const study = await newOne();
    const page = await get().newPage();
    await page.route('**/members?*', (route) =>
      route.fulfill({
        json: {
          investigation: 'x',
          members: Array.from({ length: 100 }, (_, n) => ({ identifier: String(n), role: 'responder' })),
          invitations: [
            { email: 'a-guest@example.org', role: 'responder', invitedAt: '2027-02-23T09:20:00.000Z' },
            { email: 'guest@example.org', role: 'responder', invitedAt: '2027-02-22T09:20:00.000Z' },
          ],
          next: 'more',
        },
      }),
    );
    await page.goto(`${get().service.url}/console${path(study.id)}#token=${study.owner.token}`);
    await page.getByRole('heading', { name: '2 open invitations' }).waitFor();
    // The one that waits longest is named first.
    await page.getByText(/^guest@example.org.*a-guest@example.org/).waitFor();
  });

  test('of a new study says what to do first', async () => {
    const { world, visit } = get();
    const ada = await signUp(world, `Ada, alone ${studies++}`);
    const { identifier } = created(
      await ada.post('/investigation', { name: 'New', timeZone: 'Europe/Paris' }),
    );
    const page = await visit(ada, path(identifier));
    await page.getByText('Nobody but you takes part yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Invite people' }).click();
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
  });

  test('is not for those who take part, who see the data first; nor are participants and activity', async () => {
    const study = await newOne();
    const page = await get().visit(study.responder, path(study.id));
    await page.getByRole('heading', { level: 1, name: 'Data' }).waitFor();
    for (const screen of ['overview', 'participants', `participants/${study.other.id}`, 'activity']) {
      await page.goto(`${get().service.url}/console${path(study.id)}/${screen}`);
      await settled(page);
      await page.getByRole('heading', { level: 1, name: 'This page is not for your role' }).waitFor();
      await page.getByText('Only owners, editors and monitors of the study may open this page.').waitFor();
      expect(await page.getByText(study.other.name).count()).toBe(0);
    }
    expect(await page.getByRole('link', { name: /^(?:Overview|Participants|Activity)$/ }).count()).toBe(0);
  });
});
