import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { created } from '../support/people.ts';
import { lock, newCase, newResponse, newStudy } from '../support/studies.ts';
import { type Console, describeConsole, expectNoViolations, settled } from './support/console.ts';

const pathsIn = (file: string, pattern: RegExp) =>
  [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, path = '']) => path);

/** Each route of the console, as it is written there. */
const routes = [
  ...pathsIn('console/app.tsx', /<Route path="\/console([^"*]*)"/g),
  ...pathsIn('console/screens.ts', /path: '([^']+)'/g).map((path) => `/studies/:study${path}`),
];

/** A study with some of everything, and what the parameters of its routes stand for. */
async function withData({ world, service }: Console) {
  const study = await newStudy(world, { of: 'opened' });
  const { id, survey, owner, responder } = study;
  const post = async (path: string, body: object) =>
    created(await owner.post(`/investigation/${id}/${path}`, body)).identifier as string;
  await post('survey', {
    name: 'Evening',
    items: [{ identifier: 'q1', label: 'How was the day?' }],
    reminders: {
      type: 'triggered',
      recurrence: null,
      trigger: { survey, after: 0 },
      notification: { subject: 'Evening', body: 'How was the day?' },
    },
  });
  const token = randomBytes(32).toString('hex');
  created(await responder.post('/user/me/device', { platform: 'android', token, timeZone: 'Europe/Paris' }));
  const night = await newCase(study, owner);
  const response = await newResponse(study, responder, night);
  await lock(owner, study, { cases: [night] });
  await post('enrolment', { uses: 3, label: 'Ward' });
  created(await owner.post(`/investigation/${id}/member`, { email: 'eve@example.org', role: 'editor' }));
  const webhook = await post('webhook', { url: `${service.sns.url}/webhooks/calls`, kinds: ['case'] });
  await expect
    .poll(async () => (await responder.get('/user/me/notifications')).body.notifications)
    .toMatchObject([{ state: 'sent' }]);
  return { owner, values: { study: id, user: responder.id, case: night, response, survey, webhook } };
}

describeConsole('every screen', (get) => {
  test('opens with data, without an error, a refused request, or a fault that axe finds', async () => {
    const { owner, values } = await withData(get());
    const known: Record<string, string> = values;
    const pathOf = (route: string) =>
      route.replaceAll(/:(\w+)/g, (_, name) => {
        if (!known[name]) throw new Error(`expected a value of ${name} for ${route}`);
        return known[name];
      });
    const faults: string[] = [];
    const waiting = routes.map(pathOf);
    /** Opens one screen after another in a window, and notes what is wrong with each. */
    async function openAll() {
      const page = await get().visit(owner);
      const note = (fault: string) => faults.push(`${page.url()}: ${fault}`);
      page.on('pageerror', ({ message }) => note(message));
      page.on('console', (message) => message.type() === 'error' && note(message.text()));
      page.on('response', (answer) => answer.status() >= 400 && note(`${answer.status()} ${answer.url()}`));
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
        await page.goto(`${get().service.url}/console${path}`);
        await settled(page);
        const text = await page.locator('main').innerText();
        if (text.trim().split('\n').length < 2) note('nothing below the title');
        await expectNoViolations(page, 'light', '{ resultTypes: ["violations"] }');
      }
    }
    expect(routes.length).toBeGreaterThan(20);
    await Promise.all([openAll(), openAll(), openAll()]);
    expect(faults).toEqual([]);
  });
});
