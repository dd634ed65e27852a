import { expect, inject, test } from 'vitest';
import { recurrenceSoon } from '../../tools/demo/seed.ts';
import { describeConsole, expectAccessible } from '../console/support/console.ts';
import { created } from '../support/people.ts';
import { inboxOf } from '../support/phones.ts';
import { newStudy, type Study } from '../support/studies.ts';
import { changeKept, keptBy, openAt, openPhone, type Phone } from './support/phone.ts';
import { standIn } from './support/stand-ins.ts';

/* From the code on a sheet to an answer and back, with the service's own codes, tokens and web pushes. */

let studies = 0;
/** The whole way is walked on each runtime, what may go wrong on it on one. */
const testOnce = test.skipIf(inject('runtime') !== 'node');

describeConsole('taking part by a code', (get) => {
  const studyOf = (options: object = {}) => newStudy(get().world, { of: `code ${++studies}`, ...options });
  const codeOf = async ({ editor, id }: Study) =>
    created(await editor.post(`/investigation/${id}/enrolment`, { label: 'Ward 4' })) as {
      code: string;
      url: string;
    };

  async function join(phone: Phone, { url }: { url: string }, name = '') {
    const { page } = phone;
    await page.goto('about:blank');
    await page.goto(url);
    if (name) await page.getByLabel('What may we call you?').fill(name);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: 'Should this phone remind you?' }).waitFor();
    await phone.worker();
  }

  async function allow({ page }: Phone) {
    await page.getByRole('button', { name: 'Allow reminders' }).click();
    await page.getByRole('heading', { name: 'Reminders are on' }).waitFor();
  }

  const participantOf = async ({ owner, responder, other, id }: Study) => {
    const { members } = (await owner.get(`/investigation/${id}/members?role=responder`)).body;
    const known = [responder.id, other.id];
    return members.filter((member: { user: string }) => !known.includes(member.user.replace('/user/', '')));
  };

  test('a link, a press, a reminder on the phone, a tap, an answer', async () => {
    const study = await studyOf();
    const phone = await openPhone(get());
    const { page } = phone;
    await join(phone, await codeOf(study), 'Dilek');
    await expectAccessible(page);
    await allow(phone);
    await expectAccessible(page);
    const token = await page.evaluate<string>(
      `JSON.parse(localStorage.getItem('test.subscription')).endpoint`,
    );
    const pushes = () => inboxOf(get().world, token.split('/').at(-1) ?? '');

    await page.getByRole('button', { name: 'Show a test' }).click();
    await expect.poll(pushes, { timeout: 60_000 }).toHaveLength(1);

    const notification = { subject: 'Diary', body: 'How was your night?' };
    const reminders = { type: 'rolling', recurrence: recurrenceSoon(Date.now()), ends: null, notification };
    await study.editor.patch(`/survey/${study.survey}`, { reminders });
    // At the full minute.
    await expect.poll(pushes, { timeout: 300_000, interval: 500 }).toHaveLength(2);
    const [, { title, body, data }] = (await pushes()) as [
      unknown,
      Awaited<ReturnType<typeof pushes>>[number],
    ];
    await phone.push({ title, body, data });
    const [shown] = await phone.shown();
    expect(shown).toMatchObject({
      title: 'Diary',
      options: {
        body: 'How was your night?',
        tag: data.notification,
        lang: 'en',
        actions: [{ action: 'later', title: 'Later' }],
      },
    });
    const history = async () => {
      const [member] = await participantOf(study);
      const user = member.user.replace('/user/', '');
      const path = `/survey/${study.survey}/notifications?user=${user}`;
      return (await study.owner.get(path)).body.notifications.find(
        ({ identifier }: { identifier: string }) => identifier === data.notification,
      );
    };
    // The receipt goes out after the notification is on the screen.
    await expect.poll(history).toMatchObject({ state: 'sent', shownAt: expect.any(String) });

    await phone.tap('later');
    await expect.poll(history).toMatchObject({ nextKind: 'snooze', nextAt: expect.any(String) });
    await phone.tap();
    await page.getByLabel('How did you sleep?').waitFor();
    expect(page.url()).toContain(`notification=${data.notification}`);
    await expect.poll(async () => (await history()).openedAt).toBeDefined();
    await page.goto(`${get().service.url}/p/`);
    await page.getByRole('heading', { name: 'For you now' }).waitFor();
    await page.getByText(/Next reminder:/).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Later: Diary' }).click();
    await page.getByRole('button', { name: 'in one hour' }).click();
    await page
      .getByRole('dialog')
      .getByText(/You will be reminded at/)
      .waitFor();
    await expectAccessible(page);
    expect(Date.parse((await history()).nextAt) - Date.now()).toBeGreaterThan(50 * 60_000);
    await page.getByRole('button', { name: 'Close' }).click();
    const me = await keptBy<{ token: string }>(page, 'session');
    const paused = await fetch(`${get().service.url}/user/me/pause`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${me?.token}`, 'content-type': 'application/json' },
      body: '{"until":null}',
    });
    expect(paused.ok).toBe(true);
    await openAt(page, get().service.url);
    await page.getByText('Reminders are paused.').waitFor();
    expect(await page.getByText(/Next reminder:/).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Later: Diary' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Answer: Diary' }).click();
    await page.getByLabel('How did you sleep?').fill('well');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /have been sent/ }).waitFor();
    expect((await history()).answeredAt).toBeDefined();
    await page.getByRole('link', { name: 'Today' }).click();
    await page.getByText(/Answered at/).waitFor();
    await page.getByRole('heading', { name: 'For you now' }).waitFor({ state: 'detached' });
    expect(await participantOf(study)).toMatchObject([{ name: 'Dilek', role: 'responder' }]);

    await phone.swipe();
    await expect.poll(async () => (await history()).dismissedAt).toBeDefined();
    expect(page.complaints).toEqual([]);
  });

  testOnce('a code is typed as it stands on paper; one that is used up is told from no other', async () => {
    const study = await studyOf();
    const { code } = await codeOf(study);
    const phone = await openPhone(get());
    const { page } = phone;
    await openAt(page, get().service.url);
    await page.getByLabel('Your code').fill(code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o'));
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: 'Should this phone remind you?' }).waitFor();
    const second = await openPhone(get());
    for (const tried of [code, '0000-0000-0000']) {
      await openAt(second.page, get().service.url);
      await second.page.getByLabel('Your code').fill(tried);
      await second.page.getByRole('button', { name: 'Join' }).click();
      await second.page.getByText('This code does not work.').waitFor();
    }
    await expectAccessible(second.page);
    expect(await participantOf(study)).toHaveLength(1);
  });

  testOnce('a lost answer to the code finds the same participant again', async () => {
    const study = await studyOf();
    const phone = await openPhone(get());
    let lost = 0;
    await standIn(phone.context, '/enrol', async (request) => {
      if (lost++ > 0) return request.continue();
      await request.fetch();
      return request.abort();
    });
    const { url } = await codeOf(study);
    await phone.page.goto(url);
    await phone.page.getByRole('button', { name: 'Join' }).click();
    await phone.page.getByText('There is no internet right now.').waitFor();
    await phone.page.getByRole('button', { name: 'Join' }).click();
    await phone.page.getByRole('heading', { name: 'Should this phone remind you?' }).waitFor();
    expect(await participantOf(study)).toHaveLength(1);
  });

  testOnce('a new phone takes the place of the old one, whose answers wait for it', async () => {
    const study = await studyOf();
    const old = await openPhone(get());
    await join(old, await codeOf(study));
    await old.page.getByRole('button', { name: 'Not now' }).click();
    await old.page.getByRole('link', { name: 'Diary' }).click();
    await old.page.getByLabel('How did you sleep?').fill('on the old phone');
    await old.context.setOffline(true);
    await old.page.getByRole('button', { name: 'Send' }).click();
    await old.page.getByRole('heading', { name: /are stored on this phone/ }).waitFor();

    const [{ user }] = await participantOf(study);
    const relink = async () =>
      created(
        await study.editor.post(`/investigation/${study.id}/member/${user.replace('/user/', '')}/relink`),
      ) as { url: string };
    const next = await openPhone(get());
    await join(next, await relink());
    expect(await participantOf(study)).toHaveLength(1);

    await old.context.setOffline(false);
    await openAt(old.page, get().service.url);
    await old.page.getByRole('heading', { name: 'This phone is no longer connected' }).waitFor();
    await old.page.getByText('One answer waits on this phone.').waitFor();
    await join(old, await relink());
    await openAt(old.page, get().service.url);
    await old.page.locator('.rows .good').waitFor();
    const { responses } = (await study.owner.get(`/investigation/${study.id}/responses`)).body;
    expect(responses).toMatchObject([{ items: { q1: 'on the old phone' } }]);
  });

  testOnce('a token is exchanged for a newer one when it is old', async () => {
    const study = await studyOf();
    const phone = await openPhone(get());
    await join(phone, await codeOf(study));
    const session = () => keptBy<{ token: string; since: number }>(phone.page, 'session');
    const before = await session();
    const age = '(session) => ({ ...session, since: Date.now() - 31 * 24 * 3600 * 1000 })';
    await changeKept(phone.page, age, 'session');
    await openAt(phone.page, get().service.url);
    await expect
      .poll(async () => (await session())?.since)
      .toBeGreaterThanOrEqual(before?.since ?? Number.NaN);
  });
});
