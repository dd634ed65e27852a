import { afterAll, beforeAll, expect, test } from 'vitest';
import { created, requestOf, signUp, stranger } from '../support/people.ts';
import { type Console, describeConsole, expectAccessible, settled, type Visit } from './support/console.ts';
import { type Provider, startProvider } from './support/provider.ts';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

/** Everything that left the page, as addresses. */
function addressesOf(page: Visit): string[] {
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  return addresses;
}

const withProvider = () => ({
  AUTH_ISSUER: provider.issuer,
  AUTH_JWKS_URL: provider.jwksUrl,
  AUTH_SECRET: '',
  CONSOLE_CLIENT_ID: provider.clientId,
});

describeConsole('a link of local mode', (get) => {
  test('signs in, and its token is gone from the address before anything is sent', async () => {
    const { world, newPage, service } = get();
    const ada = await signUp(world, 'Ada');
    const page = await newPage();
    const addresses = addressesOf(page);
    await page.goto(`${service.url}/console#token=${ada.token}`);
    await page.getByText('You are not in a study yet').waitFor();
    expect(page.url()).toBe(`${service.url}/console`);
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) expect(address).not.toContain(ada.token);
    await page.goBack().catch(() => null);
    expect(page.url()).not.toContain(ada.token);
  });

  test('is kept in this tab only: a reload is signed in, and nothing is in cookies or local storage', async () => {
    const { world, visit } = get();
    const page = await visit(await signUp(world, 'Bruno'));
    await page.reload();
    await page.getByText('Bruno').waitFor();
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate('localStorage.length')).toBe(0);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Fieldbell' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.getByRole('link', { name: 'the API of this service' }).click();
    await page.waitForURL('**/docs/');
  });

  test('signs up who is new', async () => {
    const { world, visit } = get();
    const page = await visit(await stranger(world, 'Chidi'));
    await page.getByRole('heading', { name: 'Welcome to Fieldbell' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Your name').fill('Chidi Okafor');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Chidi Okafor').waitFor();
    expect(page.complaints).toEqual([]);
  });

  test('without one the page says how to get one', async () => {
    const { newPage, service } = get();
    const page = await newPage();
    await page.goto(`${service.url}/console`);
    await page.getByText('npm run -s token -- demo-owner --console').waitFor();
    await expectAccessible(page);
  });
});

/** Signs in at a path, as the person whom the provider has. */
async function signIn({ newPage, service }: Console, path: string) {
  const page = await newPage();
  const addresses = addressesOf(page);
  await page.goto(service.url + path);
  const back = page.waitForURL(/signed-in/);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await back;
  await page.waitForURL(service.url + path);
  await settled(page);
  return { page, addresses };
}

/** Signs up by the API, with a token that the page has. */
async function firstVisit(console: Console) {
  const { page, addresses } = await signIn(console, '/console');
  const name = page.getByLabel('Your name');
  await name.or(page.getByRole('heading', { name: 'Your studies' })).waitFor();
  if (await name.isVisible()) {
    await name.fill('Ada Lindqvist');
    await page.getByRole('button', { name: 'Continue' }).click();
  }
  await page.getByRole('heading', { name: 'Your studies' }).waitFor();
  return { page, addresses };
}

describeConsole(
  'a provider',
  (get) => {
    test('signs people in with PKCE, from its discovery document, and back to where they were', async () => {
      const { page } = await firstVisit(get());
      const asked = provider.asked.at(-1);
      expect(asked).toMatchObject({
        code_challenge_method: 'S256',
        response_type: 'code',
        scope: 'openid email',
      });
      await page.close();

      const { page: deep, addresses } = await signIn(get(), '/console/studies/none?filter=a%20b');
      await deep.getByRole('heading', { name: 'There is nothing here' }).waitFor();
      for (const address of addresses) expect(address).not.toContain('eyJ');
      await deep.goBack();
      expect(deep.url()).not.toMatch(/code=|state=/);
    });

    test('after the token has expired, the page asks to sign in again, and leads back to it', async () => {
      const { page } = await firstVisit(get());
      const { service } = get();
      await page.goto(`${service.url}/console?kept=yes`);
      await settled(page);
      // The service no longer accepts this token.
      await page.evaluate(
        `sessionStorage.setItem('fieldbell.token', sessionStorage['fieldbell.token'] + 'x')`,
      );
      await page.reload();
      const dialog = page.getByRole('dialog', { name: 'Your sign-in has ended' });
      await dialog.waitFor();
      await expectAccessible(page);
      // It insists.
      await page.keyboard.press('Escape');
      await dialog.getByRole('button', { name: 'Sign in again' }).click();
      await page.getByText('You are not in a study yet').waitFor();
      expect(page.url()).toBe(`${service.url}/console?kept=yes`);
    });
  },
  { settings: withProvider },
);

/* The page's own responsibilities, on any server. */
describeConsole(
  'a provider and what may go wrong',
  (get) => {
    test('an answer that nobody here asked for is refused', async () => {
      const { newPage, service } = get();
      const page = await newPage();
      await page.goto(`${service.url}/console/signed-in?code=stolen&state=made-up`);
      await page.getByText('This sign-in was started in another tab').waitFor();
      expect(page.url()).toBe(`${service.url}/console`);
      expect(await page.evaluate('sessionStorage.length')).toBe(0);
      await expectAccessible(page);
    });

    test('an answer with another state is refused, and nobody is signed in', async () => {
      const { newPage, service } = get();
      const page = await newPage();
      await page.route(`${provider.issuer}/authorize*`, (route) =>
        route.fulfill({
          status: 302,
          headers: { location: `${service.url}/console/signed-in?code=x&state=other` },
        }),
      );
      await page.goto(`${service.url}/console`);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'The sign-in did not work' }).waitFor();
      expect(await page.evaluate('sessionStorage.length')).toBe(0);
    });

    test('a token in a link is ignored where there is a provider, since anybody can make a link', async () => {
      const { newPage, service } = get();
      const page = await newPage();
      await page.goto(`${service.url}/console#token=eyJ.eyJ.x`);
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(page.url()).toBe(`${service.url}/console`);
      expect(await page.evaluate('sessionStorage.length')).toBe(0);
    });

    /** The service finds the token expired until the person has signed in again, beside the page. */
    async function expireOnce(page: Visit, path: string, act: () => Promise<void>) {
      const expired = await provider.token(provider.person, -3600);
      await page.route(path, (route) =>
        route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${expired}` } }),
      );
      await act();
      const dialog = page.getByRole('dialog', { name: 'Your sign-in has ended' });
      const beside = page.waitForEvent('popup');
      await dialog.getByRole('button', { name: 'Sign in again' }).click();
      const closed = (await beside).waitForEvent('close');
      await page.unroute(path);
      await closed;
      await dialog.waitFor({ state: 'detached' });
    }

    test('typed text stays when the token expires or the network goes: an invitation, a reason, reminders', async () => {
      const { page } = await firstVisit(get());
      const { service, world } = get();
      const token = await provider.token(provider.person);
      const post = async (path: string, body: unknown) =>
        created(await world.send(path, requestOf({ method: 'POST', token, body }))).identifier;
      const study = await post('/investigation', { name: 'Kept', timeZone: 'Europe/Paris' });
      await post(`/investigation/${study}/case`, { label: 'Night 1' });
      const survey = await post(`/investigation/${study}/survey`, {
        name: 'Diary',
        items: [],
        reminders: {
          type: 'rolling',
          recurrence: '0 9 * * *',
          notification: { subject: 'Diary', body: 'How are you?' },
        },
      });
      const home = `${service.url}/console/studies/${study}`;

      await page.goto(`${home}/members`);
      await page.getByRole('button', { name: 'Invite' }).click();
      const address = page.getByLabel('E-mail address');
      const invite = page
        .getByRole('dialog', { name: 'Invite somebody' })
        .getByRole('button', { name: 'Invite' });
      await address.fill('dana@example.org');
      await page.context().setOffline(true);
      await invite.click();
      await page.getByRole('dialog').getByText('The service cannot be reached').waitFor();
      await page.context().setOffline(false);
      await expireOnce(page, '**/member', () => invite.click());
      expect(await address.inputValue()).toBe('dana@example.org');
      await invite.click();
      await page.getByText('dana@example.org is invited.').waitFor();

      await page.goto(`${home}/data?kind=cases`);
      await page.getByRole('checkbox', { name: 'Night 1' }).check();
      await page.getByRole('button', { name: 'Lock', exact: true }).click();
      const reason = page.getByLabel('Reason');
      const lock = page.getByRole('button', { name: 'Lock 1 case' });
      await reason.fill('Monitored on site');
      await expireOnce(page, '**/lock-items', () => lock.click());
      await page.getByRole('status').getByRole('button', { name: 'Try again' }).click();
      expect(await reason.inputValue()).toBe('Monitored on site');
      await lock.click();
      await page.getByText('Locked 1 case.').waitFor();

      await page.goto(`${home}/surveys/${survey}/reminders`);
      const time = page.getByLabel('Time of day');
      const save = page.getByRole('button', { name: 'Save and reschedule' });
      await time.fill('21:15');
      await page.getByRole('button', { name: 'Save reminders' }).click();
      await expireOnce(page, `**/survey/${survey}`, () => save.click());
      expect(await time.inputValue()).toBe('21:15');
      await page.getByRole('button', { name: 'Save reminders' }).click();
      await save.click();
      await page.getByText('Every day at 21:15').waitFor();
      expect(page.complaints).toEqual([]);
    });

    test('a provider that is out of reach is told in words', async () => {
      const { newPage, service } = get();
      const page = await newPage();
      await page.route(`${provider.issuer}/**`, (route) => route.abort());
      await page.goto(`${service.url}/console`);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText(/The provider at 127\.0\.0\.1:\d+ cannot be reached/).waitFor();
    });
  },
  { settings: withProvider, on: ['node'] },
);

describeConsole(
  'without CONSOLE_CLIENT_ID',
  (get) => {
    test('the page says that it is not configured', async () => {
      const { newPage, service } = get();
      const page = await newPage();
      await page.goto(`${service.url}/console`);
      await page.getByRole('heading', { name: 'Nobody can sign in here yet' }).waitFor();
      await page.getByText('CONSOLE_CLIENT_ID').waitFor();
      await expectAccessible(page);
    });
  },
  { settings: () => ({ ...withProvider(), CONSOLE_CLIENT_ID: '' }), on: ['node'] },
);
