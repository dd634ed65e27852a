import { expect, test } from 'vitest';
import { describeConsole } from '../console/support/console.ts';
import { created } from '../support/people.ts';
import { newStudy } from '../support/studies.ts';
import { allow, begin, changeKept, keptBy, openAt, openPhone, type Phone } from './support/phone.ts';

/* Pushes and taps in the service worker, wherever the page and the phone are. */

let studies = 0;
const daily = {
  type: 'rolling',
  recurrence: '0 22 * * *',
  ends: null,
  notification: { subject: 'Evening', body: 'How was your day?' },
};

describeConsole('pushes and taps', (get) => {
  const url = () => get().service.url;
  const notification = '1'.repeat(32);

  async function takingPart() {
    const study = await newStudy(get().world, { of: `taps ${++studies}` });
    const phone = await openPhone(get());
    await begin(phone, url(), study.other, study);
    return { study, phone, page: phone.page };
  }

  const idsOf = ({ survey }: { survey: string }) => ({ survey, investigation: '2'.repeat(32), notification });

  test('a declared push with the address alone is shown, and a tap opens its form', async () => {
    const { study, phone, page } = await takingPart();
    const navigate = `https://study.example.org/p/?survey=${study.survey}&notification=${notification}`;
    await phone.push({ web_push: 8030, notification: { title: 'Diary', body: 'How was it?', navigate } });
    expect(await phone.shown()).toMatchObject([
      {
        title: 'Diary',
        options: { body: 'How was it?', tag: notification, data: { survey: study.survey, notification } },
      },
    ]);
    await phone.tap();
    await page.getByLabel('How did you sleep?').waitFor();
    expect(page.url()).toContain(`survey=${study.survey}&notification=${notification}`);
  });

  const opened =
    'self.opened = []; Clients.prototype.openWindow = async (address) => void opened.push(address) ?? {}';
  const refuse =
    "WindowClient.prototype.focus = async () => { throw new DOMException('Gone', 'NotFoundError') }";

  test('a window that cannot be focused makes the tap open another', async () => {
    const { study, phone } = await takingPart();
    await phone.push({ title: 'Diary', body: 'How was it?', data: idsOf(study) });
    const worker = await phone.worker();
    await worker.evaluate(`${opened}; ${refuse}`);
    await phone.tap();
    expect(await worker.evaluate('opened')).toEqual([
      `/p/?survey=${study.survey}&notification=${notification}`,
    ]);
    expect(await phone.shown()).toHaveLength(1);
  });

  test('a window that is frozen, and does not answer, makes the tap open another', async () => {
    const { study, phone, page } = await takingPart();
    await page.addInitScript(
      "navigator.serviceWorker.addEventListener('message', (event) => event.stopImmediatePropagation())",
    );
    await openAt(page, url());
    await phone.push({ title: 'Diary', body: 'How was it?', data: idsOf(study) });
    const worker = await phone.worker();
    await worker.evaluate(opened);
    await phone.tap();
    expect(await worker.evaluate('opened')).toHaveLength(1);
  });

  test.each([
    [
      'refuses',
      "Clients.prototype.openWindow = async () => { throw new DOMException('No', 'InvalidAccessError') }",
    ],
    ['opens nothing', 'Clients.prototype.openWindow = async () => null'],
    ['never answers', 'Clients.prototype.openWindow = () => new Promise(() => {})'],
  ])('the notification comes back where the browser %s', async (_, openWindow) => {
    const { study, phone, page } = await takingPart();
    await phone.push({ title: 'Diary', body: 'How was it?', data: idsOf(study) });
    await (await phone.worker()).evaluate(`${refuse}; ${openWindow}`);
    await phone.tap();
    const shown = await phone.shown();
    expect(shown).toHaveLength(2);
    expect(shown[1]).toMatchObject({
      title: 'Diary',
      options: { tag: notification, data: { notification } },
    });
    // Somebody who opens the page by hand finds it there.
    await page.getByLabel('How did you sleep?').waitFor();
  });

  test('a survey that was made since is there for a tap without a network', async () => {
    const { study, phone, page } = await takingPart();
    const { identifier: survey } = created(
      await study.editor.post(`/investigation/${study.id}/survey`, {
        name: 'Evening',
        items: [{ identifier: 'q1', label: 'How tired are you?' }],
        reminders: daily,
      }),
    );
    await phone.push({ title: 'Evening', body: 'How was your day?', data: idsOf({ survey }) });
    await expect
      .poll(async () => (await keptBy<{ surveys: { identifier: string }[] }>(page, 'snapshot'))?.surveys)
      .toContainEqual(expect.objectContaining({ identifier: survey }));
    await phone.context.setOffline(true);
    await phone.tap();
    await page.getByLabel('How tired are you?').waitFor();
  });

  test("a survey that was edited since is there as it is, once the page's copy is old", async () => {
    const { study, phone, page } = await takingPart();
    await study.editor.patch(`/survey/${study.survey}`, {
      items: [{ identifier: 'q1', label: 'Did you sleep well?' }],
    });
    await changeKept(page, '(snapshot) => ({ ...snapshot, at: 0 })', 'snapshot');
    await phone.push({ title: 'Diary', body: 'How was it?', data: idsOf(study) });
    await expect
      .poll(() => keptBy(page, 'snapshot'))
      .toMatchObject({ surveys: [{ items: [{ label: 'Did you sleep well?' }] }] });
    await phone.context.setOffline(true);
    await phone.tap();
    await page.getByLabel('Did you sleep well?').waitFor();
  });

  const inNewYork = `(() => {
    const { resolvedOptions } = Intl.DateTimeFormat.prototype;
    Intl.DateTimeFormat.prototype.resolvedOptions = function () {
      return { ...resolvedOptions.call(this), timeZone: 'America/New_York' };
    };
  })()`;

  /** The worker has no stand-in for the browser's push service. */
  async function lendSubscription({ page, worker }: Phone) {
    const kept = await page.evaluate<string>("localStorage.getItem('test.subscription')");
    await (await worker()).evaluate(`(() => {
      const { applicationServerKey, ...json } = ${kept};
      const subscription = { toJSON: () => json, unsubscribe: async () => true };
      PushManager.prototype.getSubscription = async () => subscription;
    })()`);
  }

  test('the first push in another zone tells the service the zone, with the page closed; where it is hidden, nothing', async () => {
    const { study, phone } = await takingPart();
    await allow(phone, url());
    const zones = async () =>
      (await study.other.get('/user/me/devices')).body.devices.map(
        ({ timeZone }: { timeZone: string }) => timeZone,
      );
    const worker = await phone.worker();
    await worker.evaluate(inNewYork);
    await phone.push({ title: 'Diary', body: 'How was it?', data: idsOf(study) });
    await expect.poll(zones).toEqual(['America/New_York']);
    await worker.evaluate(inNewYork.replace('America/New_York', 'Etc/Unknown'));
    await phone.push({
      title: 'Diary',
      body: 'How was it?',
      data: { ...idsOf(study), notification: '3'.repeat(32) },
    });
    await phone.push({ title: 'A test', body: '', data: {} });
    expect(await zones()).toEqual(['America/New_York']);
  });

  test('a subscription that the browser changes is told, with the zone of the moment', async () => {
    const { study, phone } = await takingPart();
    await allow(phone, url());
    await lendSubscription(phone);
    const worker = await phone.worker();
    await worker.evaluate(`${inNewYork}; (() => {
      const waits = [];
      const event = Object.assign(new Event('pushsubscriptionchange'), { waitUntil: (work) => waits.push(work) });
      self.dispatchEvent(event);
      return Promise.all(waits);
    })()`);
    expect((await study.other.get('/user/me/devices')).body.devices).toMatchObject([
      { timeZone: 'America/New_York' },
    ]);
  });

  test('a worker without a function shows a push all the same, with its text', async () => {
    const { study, phone } = await takingPart();
    const worker = await phone.worker();
    for (const path of [
      'navigator.locks',
      'AbortSignal.timeout',
      'AbortSignal.any',
      'Intl.DateTimeFormat',
      'IDBFactory.prototype.open',
      'PushManager.prototype.getSubscription',
      'BroadcastChannel.prototype.postMessage',
      'self.fetch',
    ]) {
      const [, owner, name] = /^(.*)\.(\w+)$/.exec(path) ?? [];
      const before = (await phone.shown()).length;
      await worker.evaluate(`self.taken = ${path};
        Object.defineProperty(${owner}, '${name}', { value: undefined, configurable: true, writable: true })`);
      await phone.push({ title: 'Diary', body: 'How was it?', data: idsOf(study) });
      expect((await phone.shown())[before], path).toMatchObject({
        title: 'Diary',
        options: { body: 'How was it?' },
      });
      await worker.evaluate(
        `Object.defineProperty(${owner}, '${name}', { value: taken, configurable: true, writable: true })`,
      );
    }
  });
});
