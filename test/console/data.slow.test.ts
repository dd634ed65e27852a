import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import { lock, newCase, newStudy, type Study } from '../support/studies.ts';
import { describeConsole, expectAccessible, savedBy } from './support/console.ts';
import { nights, row } from './support/nights.ts';
import { type Provider, startProvider } from './support/provider.ts';

describeConsole('data', (get) => {
  const open = (person: Person, { id }: Study, query = '') =>
    get().visit(person, `/studies/${id}/data${query}`);

  test('is selected by mouse, a range with Shift, and all with Ctrl and A', async () => {
    const { study } = await nights(get());
    const page = await open(study.editor, study, '?kind=cases');
    await page.getByRole('checkbox', { name: 'Night 1' }).click();
    await page.getByRole('checkbox', { name: 'Night 3' }).click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await page.getByRole('button', { name: 'Clear the selection' }).click();
    await page.getByRole('checkbox', { name: 'Night 2' }).focus();
    await page.keyboard.press('Control+a');
    await page.getByText('3 selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('3 selected').waitFor({ state: 'detached' });
  });

  test('is archived, brought back, deleted, and restored by an owner', async () => {
    const { study } = await nights(get());
    const page = await open(study.owner, study, '?kind=cases');
    const act = async (name: string, button: string) => {
      await page.getByRole('checkbox', { name: 'Night 2' }).click();
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: button }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    const state = page.getByLabel('State');
    await act('Archive', 'Archive 1 case');
    await page.getByText('Archived 1 case.').waitFor();
    await state.selectOption({ label: 'Archived' });
    await act('Bring back', 'Bring back 1 case');
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByRole('button', { name: 'Show everything' }).click();
    await act('Delete', 'Delete 1 case');
    await row(page, 'Night 2').waitFor({ state: 'detached' });
    await state.selectOption({ label: 'Deleted in the last 30 days' });
    expect(page.url()).toContain('state=deleted');
    await act('Bring back', 'Bring back 1 case');
    await page.goBack();
    await page.goto(`${get().service.url}/console/studies/${study.id}/data?kind=cases`);
    await row(page, 'Night 2').getByText('Active').waitFor();
  });

  test('a freeze shows itself, takes away what it forbids, and ends', async () => {
    const { study } = await nights(get());
    const page = await open(study.owner, study);
    const other = await open(study.editor, study);
    await page.getByRole('button', { name: 'Freeze study' }).click();
    await page.getByLabel('Reason').fill('Final analysis');
    await page.getByRole('dialog').getByRole('button', { name: 'Freeze study' }).click();
    for (const one of [page, other]) await one.getByText('This study has been frozen since').waitFor();
    await expectAccessible(page);
    expect(await other.getByRole('button', { name: 'Lock by filter' }).count()).toBe(0);
    await page.getByRole('checkbox', { name: /Night 1/ }).click();
    expect(await page.getByRole('button', { name: 'Lock', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'End the freeze' }).click();
    await page.getByLabel('Reason').fill('A correction');
    await page.getByRole('dialog').getByRole('button', { name: 'End the freeze' }).click();
    await page.getByText('This study has been frozen since').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Lock', exact: true }).waitFor();
  });

  test('one who may not unlock is not offered to, nor to undo a lock by filter', async () => {
    const { study, responses } = await nights(get());
    await study.owner.patch(`/investigation/${study.id}`, { lockPolicy: { unlock: 'owners' } });
    await lock(study.editor, study, { responses });
    for (const [person, offers] of [
      [study.editor, 0],
      [study.owner, 1],
    ] as const) {
      const page = await open(person, study);
      await page.getByRole('checkbox', { name: /Night 1/ }).click();
      await page.getByRole('button', { name: 'Archive' }).waitFor();
      expect(await page.getByRole('button', { name: 'Unlock' }).count()).toBe(offers);
    }
    const page = await open(study.editor, study);
    await page.getByRole('button', { name: 'Lock by filter' }).click();
    await page.getByRole('button', { name: 'Count matching items' }).click();
    await page.getByRole('button', { name: 'Lock 3 cases' }).click();
    await page.getByText('Locked 3 cases.').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });

  test('a link shows the same list, with its filters', async () => {
    const { study, cases } = await nights(get());
    const page = await open(study.editor, study, `?case=${cases[1]}&state=open`);
    await page.getByText('Of the case “Night 2”').waitFor();
    await row(page, 'Night 2').waitFor();
    expect(await row(page, 'Night 1').count()).toBe(0);
    await page.getByRole('button', { name: 'Remove this filter' }).click();
    await row(page, 'Night 1').waitFor();
    expect(page.url()).not.toContain('case=');
  });

  test('an empty study says what to do, and a list can be saved as CSV', async () => {
    const study = await newStudy(get().world, { of: 'data' });
    const page = await open(study.owner, study);
    await page.getByText('There are no responses yet').waitFor();
    await expectAccessible(page);
    await newCase(study, study.editor, 'Night 1 – été 😴');
    await page.getByRole('button', { name: 'Cases' }).click();
    await row(page, 'Night 1 – été 😴').waitFor();
    const saved = await savedBy(page, () => page.getByRole('button', { name: 'Save as CSV' }).click());
    expect(saved.name).toMatch(/^Sleep data cases\.csv$/);
    expect(saved.bytes.subarray(0, 6).toString('latin1')).toBe('\xef\xbb\xbfide');
    expect(saved.text).toContain('Night 1 – été 😴');
    const table = await savedBy(page, () => page.getByRole('button', { name: 'this table as CSV' }).click());
    expect(table.bytes.subarray(0, 5).toString('latin1')).toMatch(/^\xef\xbb\xbf\w\w/);
  });
});

describe('with a provider', () => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await startProvider();
  });
  afterAll(() => provider.close());

  const settings = () => ({
    AUTH_ISSUER: provider.issuer,
    AUTH_JWKS_URL: provider.jwksUrl,
    AUTH_SECRET: '',
    CONSOLE_CLIENT_ID: provider.clientId,
  });

  describeConsole(
    'a study that asks for signatures',
    (get) => {
      /** Calls the API as the person whom the provider has. */
      async function call(method: string, path: string, body?: object) {
        const answer = await fetch(get().service.url + path, {
          method,
          headers: {
            authorization: `Bearer ${await provider.token(provider.person)}`,
            'content-type': 'application/json',
          },
          ...(body && { body: JSON.stringify(body) }),
        });
        if (!answer.ok) throw new Error(await answer.text());
        return answer.json();
      }

      test('changes the rule that locks are signed with a signature, and keeps what was typed meanwhile', async () => {
        const { newPage, service } = get();
        provider.person.authTime = Math.floor(Date.now() / 1000) - 3600;
        await call('POST', '/user', { name: 'Ada Lindqvist' });
        const { identifier: study } = await call('POST', '/investigation', { name: 'Trial' });
        await call('PATCH', `/investigation/${study}`, { lockPolicy: { signature: true } });

        const page = await newPage();
        await page.goto(`${service.url}/console/studies/${study}/settings`);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByLabel('Name').fill('Dreams');
        await page.getByRole('checkbox', { name: 'Locking, unlocking and freezing' }).uncheck();
        await page.getByRole('button', { name: 'Save settings' }).click();
        const dialog = page.getByRole('dialog', { name: 'Sign the change to locks' });
        await dialog.getByText('a sign-in of the last five minutes').waitFor();
        await dialog.getByLabel('Meaning of your signature').fill('Data entry is over');
        await expectAccessible(page);
        await dialog.getByRole('button', { name: 'Sign in again to sign' }).click();

        await dialog.getByRole('button', { name: 'Save settings' }).click();
        await page.getByText('The settings are saved.').waitFor();
        expect(await call('GET', `/investigation/${study}`)).toMatchObject({
          name: 'Dreams',
          lockPolicy: { signature: false },
        });
        const { activities } = await call('GET', `/investigation/${study}/activity`);
        expect(activities[0]).toMatchObject({ signature: { meaning: 'Data entry is over' } });
      });

      test('locks only what is signed, after a fresh sign-in, and keeps what was typed meanwhile', async () => {
        const { newPage, service } = get();
        await call('POST', '/user', { name: 'Ada Lindqvist' });
        const { identifier: study } = await call('POST', '/investigation', { name: 'Trial' });
        await call('PATCH', `/investigation/${study}`, { lockPolicy: { signature: true } });
        await call('POST', `/investigation/${study}/case`, { label: 'Night 1' });
        provider.person.authTime = Math.floor(Date.now() / 1000) - 3600;

        const page = await newPage();
        await page.goto(`${service.url}/console/studies/${study}/data?kind=cases`);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('checkbox', { name: 'Night 1' }).click();
        await page.getByRole('button', { name: 'Lock', exact: true }).click();
        const dialog = page.getByRole('dialog', { name: 'Lock 1 case?' });
        await dialog.getByText('a sign-in of the last five minutes').waitFor();
        await expectAccessible(page);
        expect(await dialog.getByRole('button', { name: 'Lock 1 case' }).count()).toBe(0);
        await dialog.getByLabel('Reason').fill('Interim analysis');
        await dialog.getByLabel('Meaning of your signature').fill('Reviewed and approved');
        await dialog.getByRole('button', { name: 'Sign in again to sign' }).click();

        await dialog.getByRole('button', { name: 'Lock 1 case' }).waitFor();
        expect(provider.asked.at(-1)).toMatchObject({ max_age: '0' });
        expect(await dialog.getByLabel('Reason').inputValue()).toBe('Interim analysis');
        await dialog.getByRole('button', { name: 'Lock 1 case' }).click();
        await page.getByText('Locked 1 case.').waitFor();
        // Nobody signs by undoing.
        expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
        const { activities } = await call('GET', `/investigation/${study}/activity`);
        expect(activities[0]).toMatchObject({
          reason: 'Interim analysis',
          signature: { name: 'Ada Lindqvist', meaning: 'Reviewed and approved' },
        });
        expect(page.complaints).toEqual([]);
      });

      test('locks a case with its responses from its page, and keeps filter and text during the sign-in', async () => {
        const { newPage, service } = get();
        await call('POST', '/user', { name: 'Ada Lindqvist' });
        const { identifier: study } = await call('POST', '/investigation', { name: 'Trial' });
        await call('PATCH', `/investigation/${study}`, { lockPolicy: { signature: true } });
        const night = await call('POST', `/investigation/${study}/case`, { label: 'Night 1' });
        const other = await call('POST', `/investigation/${study}/case`, { label: 'Night 2' });
        provider.person.authTime = Math.floor(Date.now() / 1000) - 3600;

        const page = await newPage();
        await page.goto(`${service.url}/console/studies/${study}/data/cases/${night.identifier}`);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('button', { name: 'Lock with responses' }).click();
        const dialog = page.getByRole('dialog', { name: 'Lock or unlock by filter' });
        await dialog.getByRole('button', { name: 'Count matching items' }).click();
        await dialog.getByText('a sign-in of the last five minutes').waitFor();
        await dialog.getByLabel('Reason').fill('Monitored on site');
        await dialog.getByLabel('Meaning of your signature').fill('Reviewed and approved');
        await dialog.getByRole('button', { name: 'Sign in again to sign' }).click();

        await dialog.getByText('Of the case “Night 1”').waitFor();
        await dialog.getByRole('button', { name: 'Lock 1 case' }).click();
        const facts = page.locator('.facts');
        await facts.getByText('“Monitored on site”').waitFor();
        await facts.getByText('Signed by Ada Lindqvist: “Reviewed and approved”').waitFor();
        await facts.getByText('by Ada Lindqvist', { exact: true }).waitFor();
        expect(await call('GET', `/case/${other.identifier}`)).not.toHaveProperty('lockedAt');
        expect(page.complaints).toEqual([]);
      });
    },
    { settings },
  );
});
