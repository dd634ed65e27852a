import { expect, test } from 'vitest';
import { describeConsole, expectAccessible } from '../console/support/console.ts';
import { created } from '../support/people.ts';
import { plantFault } from '../support/phones.ts';
import { newStudy } from '../support/studies.ts';
import { allow, begin, keptBy, openAt, openPhone, type Phone } from './support/phone.ts';
import { endStandIns, standIn } from './support/stand-ins.ts';

/* Whether reminders reach a phone, and what the page says of it, when browsers, keys, permissions and people change. */

let studies = 0;

const notification = { subject: 'Diary', body: 'How was your night?' };
/** Half a day away. */
const reminders = () => ({
  type: 'rolling',
  recurrence: `0 ${(new Date().getUTCHours() + 12) % 24} * * *`,
  ends: null,
  notification,
});

/** Another key than the service's, of the right form. */
const otherKey = `B${'A'.repeat(86)}`;

describeConsole('whether reminders reach this phone', (get) => {
  const url = () => get().service.url;

  async function withReminders() {
    const study = await newStudy(get().world, { of: `reminding ${++studies}`, reminders: reminders() });
    const phone = await openPhone(get());
    await begin(phone, url(), study.other, study);
    await allow(phone, url());
    const devices = async () => (await study.other.get('/user/me/devices')).body.devices;
    expect(await devices()).toMatchObject([{ platform: 'web', enabled: true }]);
    return { study, phone, page: phone.page, devices };
  }

  const subscriptionOf = ({ page }: Phone) =>
    page.evaluate<string | null>("localStorage.getItem('test.subscription')");

  const failing = 'Reminders do not reach this phone at the moment';
  const onToday = 'A reminder tells you when it is time.';

  test.each([
    [
      'subscribing is refused',
      (p: PushManager) => {
        localStorage.removeItem('test.subscription');
        p.subscribe = () => Promise.reject(new DOMException('Registration failed', 'AbortError'));
      },
    ],
    [
      'the push service is none that the study knows',
      (p: PushManager) => {
        const endpoint = 'https://push.example.net/x';
        const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) };
        const json = { endpoint, keys };
        p.getSubscription = async () => ({ toJSON: () => json, unsubscribe: async () => true }) as never;
      },
    ],
    [
      'the subscription cannot be read',
      (p: PushManager) => {
        p.getSubscription = () => Promise.reject(new DOMException('Gone', 'InvalidStateError'));
        p.subscribe = () => Promise.reject(new DOMException('Gone', 'InvalidStateError'));
      },
    ],
  ])('%s: the rest of the page goes on, and says what has a fault', async (_, breakPushes) => {
    const { study, page } = await withReminders();
    created(await study.owner.post(`/investigation/${study.id}/survey`, { name: 'Side effects', items: [] }));
    await page.addInitScript(`(${breakPushes})(PushManager.prototype)`);
    await openAt(page, url());
    await page.getByRole('link', { name: 'Side effects' }).waitFor();
    await page.getByText(failing).waitFor();
    expect(await page.getByText(onToday).count()).toBe(0);
    expect(await page.getByText('No internet').count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: failing }).click();
    await page.getByRole('heading', { name: failing }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await expectAccessible(page);
  });

  test('a browser that never answers holds nothing up', async () => {
    const { study, page } = await withReminders();
    created(await study.owner.post(`/investigation/${study.id}/survey`, { name: 'Side effects', items: [] }));
    await page.addInitScript('PushManager.prototype.getSubscription = () => new Promise(() => {})');
    await openAt(page, url());
    await page.getByRole('link', { name: 'Side effects' }).waitFor();
    expect(await page.getByText('No internet').count()).toBe(0);
  });

  test('a service whose key cannot be read is a fault of reminders alone, and passes', async () => {
    const { study, phone, page } = await withReminders();
    created(await study.owner.post(`/investigation/${study.id}/survey`, { name: 'Side effects', items: [] }));
    await standIn(page.context(), '/push/key', (key) => key.fulfill({ status: 500, body: '{}' }));
    await openAt(page, url());
    await page.getByRole('link', { name: 'Side effects' }).waitFor();
    await page.getByText(failing).waitFor();
    expect(await page.getByText('The study cannot be reached').count()).toBe(0);
    endStandIns(page.context());
    await openAt(page, url());
    await page.getByText(onToday).waitFor();
    expect(await subscriptionOf(phone)).not.toBeNull();
  });

  test.each([
    ['as the browser says', ''],
    ['as the phone keeps it, where the browser says nothing', 'delete subscription.options'],
  ])('another key of the service makes another subscription: %s', async (_, forget) => {
    const { study, phone, page, devices } = await withReminders();
    const [before] = await devices();
    const first = await subscriptionOf(phone);
    await page.addInitScript(`(() => {
      const { getSubscription } = PushManager.prototype;
      PushManager.prototype.getSubscription = async function () {
        const subscription = await getSubscription.call(this);
        if (subscription) { ${forget} }
        return subscription;
      };
    })()`);
    await standIn(page.context(), '/push/key', (key) => key.fulfill({ json: { publicKey: otherKey } }));
    await openAt(page, url());
    await expect
      .poll(async () => JSON.parse((await subscriptionOf(phone)) ?? '{}').applicationServerKey)
      .toBe(otherKey);
    await expect.poll(devices).toMatchObject([{ platform: 'web' }]);
    await expect.poll(async () => (await devices())[0].identifier).not.toBe(before.identifier);
    expect(await subscriptionOf(phone)).not.toBe(first);
    await page.getByText(onToday).waitFor();
    expect((await study.other.get(`/device/${before.identifier}`)).status).toBe(404);
    // The same key again changes nothing more.
    const second = await subscriptionOf(phone);
    await openAt(page, url());
    await page.getByText(onToday).waitFor();
    expect(await subscriptionOf(phone)).toBe(second);
  });

  test('notifications switched off in the settings of the phone are told; allowed again, they come back', async () => {
    const { phone, page, devices } = await withReminders();
    await phone.permit('denied');
    await openAt(page, url());
    await page.getByRole('link', { name: 'Your phone blocks notifications from this page' }).waitFor();
    await page.getByText('reminders are off on this phone').waitFor();
    expect(await page.getByText(onToday).count()).toBe(0);
    await expect.poll(devices).toEqual([]);
    await phone.permit('default');
    await openAt(page, url());
    await page.getByRole('link', { name: 'Reminders are off: this phone no longer allows them' }).waitFor();
    await expectAccessible(page);
    await phone.permit('granted');
    await openAt(page, url());
    await page.getByText(onToday).waitFor();
    await expect.poll(devices).toMatchObject([{ platform: 'web', enabled: true }]);
  });

  test('switched off without a network, they are told once there is one', async () => {
    const { phone, page, devices } = await withReminders();
    await phone.worker();
    await phone.permit('denied');
    await phone.context.setOffline(true);
    await openAt(page, url());
    await page.getByRole('link', { name: 'Your phone blocks notifications from this page' }).waitFor();
    expect(await devices()).toHaveLength(1);
    await phone.context.setOffline(false);
    await expect.poll(devices).toEqual([]);
  });

  test('a subscription that its push service has ended is made anew', async () => {
    const { study, phone, page, devices } = await withReminders();
    const [before] = await devices();
    const { endpoint } = JSON.parse((await subscriptionOf(phone)) ?? '{}');
    const token = endpoint.split('/').at(-1);
    await plantFault({ snsUrl: get().service.sns.url }, { action: 'WebPush', token, status: 410, times: 1 });
    await study.other.post(`/device/${before.identifier}/test`, {});
    expect(await devices()).toMatchObject([{ enabled: false }]);
    await openAt(page, url());
    await expect.poll(devices).toMatchObject([{ enabled: true }]);
    await page.getByText(onToday).waitFor();
    expect(JSON.parse((await subscriptionOf(phone)) ?? '{}').endpoint).not.toBe(endpoint);
  });

  test('no reminder is promised while reminders are paused, or where the study has none', async () => {
    const { study, page } = await withReminders();
    await openAt(page, url());
    await page.getByText(onToday).waitFor();
    await study.other.put('/user/me/pause', { until: null });
    await openAt(page, url());
    await page.getByText('Reminders are paused.').waitFor();
    expect(await page.getByText(onToday).count()).toBe(0);
    await study.other.delete('/user/me/pause');
    await study.editor.patch(`/survey/${study.survey}`, { reminders: null });
    await openAt(page, url());
    await page.getByText('No reminders are planned.').waitFor();
    expect(await page.getByText(onToday).count()).toBe(0);
  });

  test('another person on the same phone gets a subscription of their own', async () => {
    const { study, phone, page, devices } = await withReminders();
    const first = await subscriptionOf(phone);
    const { url: link } = created(
      await study.editor.post(`/investigation/${study.id}/enrolment`, { label: 'Ward 4' }),
    );
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByRole('button', { name: 'Use the new code', exact: true }).click();
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: 'Should this phone remind you?' }).waitFor();
    expect(await subscriptionOf(phone)).toBeNull();
    expect(await devices()).toEqual([]);
    await allow(phone, url());
    expect(await subscriptionOf(phone)).not.toBe(first);
  });

  test('a phone whose token has ended takes no reminder any more, and shows nothing of one that still comes', async () => {
    const { phone, page } = await withReminders();
    await standIn(page.context(), '/user/me', (me) =>
      me.fulfill({
        status: 401,
        contentType: 'application/problem+json',
        body: '{"code":"auth.token-invalid"}',
      }),
    );
    await openAt(page, url());
    await page.getByRole('heading', { name: 'This phone is no longer connected' }).waitFor();
    await expect.poll(() => subscriptionOf(phone)).toBeNull();
    await expect.poll(() => keptBy(page, 'device')).toBeUndefined();
    const data = { survey: '0'.repeat(32), notification: '1'.repeat(32) };
    await phone.push({ title: 'Tablet', body: 'Have you taken your antiretroviral tablet?', data });
    expect(await phone.shown()).toMatchObject([
      { title: 'Fieldbell', options: { body: 'This phone is no longer connected', data: {} } },
    ]);
    expect(JSON.stringify(await phone.shown())).not.toMatch(/tablet|1{32}/i);
  });

  test('a stop is a stop: the page does not start reminders again by itself', async () => {
    const { page, devices } = await withReminders();
    await page.getByRole('button', { name: 'Stop reminders on this phone' }).click();
    await page.getByRole('heading', { name: 'Should this phone remind you?' }).waitFor();
    await openAt(page, url());
    await page.getByRole('link', { name: 'Allow reminders' }).waitFor();
    expect(await devices()).toEqual([]);
  });
});
