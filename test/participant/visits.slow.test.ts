import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeConsole } from '../console/support/console.ts';
import { created } from '../support/people.ts';
import { newStudy } from '../support/studies.ts';
import { allow, answerDiary, begin, keptBy, openAt, openPhone, storedIn } from './support/phone.ts';
import { expectGood } from './support/screens.ts';
import { endStandIns, standIn } from './support/stand-ins.ts';

/* Visits of real studies, which stay open over days, and the end of a person's time. Days pass on phones without a network. */

const dayMs = 24 * 3600 * 1000;
const items = [{ identifier: 'pain', label: 'How strong is the pain?' }];

interface Row {
  identifier: string;
  survey: string;
  dueAt: string;
  state: string;
  answeredAt?: string;
  nextKind?: string;
}

/** The date as the phone writes it. */
const dateIn = (page: Page, at: number) =>
  page.evaluate(
    `new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long',
      ...(new Date(${at}).getFullYear() !== new Date().getFullYear() && { year: 'numeric' }) }).format(${at})`,
  ) as Promise<string>;

/** Local dates in Paris, so many days from today on. */
const dayFromNow = (days: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Paris' }).format(Date.now() + days * dayMs);

let studies = 0;

describeConsole('a study that is longer than a diary', (get) => {
  /** Dana's diary calls for a visit, which is open for two weeks; after ten days the answer is late. */
  async function takingPart(changes: object = {}, phoneOptions = {}) {
    const study = await newStudy(get().world, { of: `visits ${++studies}` });
    const reminders = {
      type: 'triggered',
      recurrence: null,
      trigger: { survey: study.survey, after: 0, each: true },
      expiresAfter: 14 * 1440,
      answerWithin: 10 * 1440,
      followUps: { every: 2 * 1440, max: 3, stop: 'answered' },
      notification: { subject: 'Your visit', body: 'Please answer before you come.' },
      ...changes,
    };
    const made = await study.owner.post(`/investigation/${study.id}/survey`, {
      name: 'Visit',
      items,
      reminders,
    });
    const visit = created(made).identifier as string;
    const dana = study.other;
    const phone = await openPhone(get(), phoneOptions);
    const { page } = phone;
    const url = get().service.url;
    const visits = async (): Promise<Row[]> =>
      (await dana.get(`/user/me/notifications?survey=${visit}`)).body.notifications;
    const cards = () => page.locator('.card.due').count();
    /** The diary is answered, and the visit that follows is sent. */
    const callForVisit = async () => {
      const before = (await visits()).length;
      await answerDiary(page, 'badly');
      const newest = async () => (await visits()).filter(({ state }) => state !== 'scheduled');
      await expect.poll(newest).toHaveLength(before + 1);
      await openAt(page, url);
      await expect.poll(cards).toBe(before + 1);
      return (await newest())[0] as Row;
    };
    /** Days pass on a phone without a network. */
    const pass = async (days: number) => {
      await page.context().setOffline(true);
      // Some requests of a document that begins pass the browser's network, and an answer would tell the page that its clock is days ahead.
      await standIn(page.context(), '', (held) => held.abort());
      await page.goto('about:blank');
      await page.clock.setFixedTime(Date.now() + days * dayMs);
      await openAt(page, url);
    };
    /** The network is back, and it is today. */
    const back = async () => {
      endStandIns(page.context());
      await page.context().setOffline(false);
      await page.clock.setFixedTime(Date.now());
    };
    return { study, dana, visit, phone, page, url, visits, callForVisit, pass, back, cards };
  }

  test("Dana's visit is one card that says until when, after nudges, snoozed, late, offline and opened again", async () => {
    const { study, visit, phone, page, url, visits, callForVisit, pass, cards } = await takingPart();
    await begin(phone, url, study.other, study);
    await allow(phone, url);
    await openAt(page, url);
    const { identifier, dueAt } = await callForVisit();
    const until = `Open until ${await dateIn(page, Date.parse(dueAt) + 14 * dayMs)}`;
    const says = async () => {
      await page.getByText(until).waitFor();
      expect(await cards()).toBe(1);
    };
    await says();
    await page.getByText(/Next reminder: \w+day/).waitFor();
    await expectGood(page);
    // A nudge of the same visit.
    await phone.push({
      title: 'Your visit',
      body: 'Please answer.',
      data: { survey: visit, notification: identifier },
    });
    await openAt(page, url);
    await says();
    await page.getByRole('button', { name: `Later: Visit, ${until}` }).click();
    await page.getByRole('button', { name: 'in one hour' }).click();
    await page
      .getByRole('dialog')
      .getByText(/You will be reminded at/)
      .waitFor();
    await expect.poll(async () => (await visits())[0]).toMatchObject({ nextKind: 'snooze' });
    await openAt(page, url);
    await says();
    await pass(9);
    await says();
    expect(await page.getByText('is late now').count()).toBe(0);
    await pass(11);
    await says();
    await page.getByText('The answer is late now, and the study still takes it.').waitFor();
    await expectGood(page);
    await pass(13.5);
    await page.getByText(/ · Until /).waitFor();
    expect(await cards()).toBe(1);
    await pass(14.1);
    await page.getByText('Nothing to do right now').waitFor();
    expect(await cards()).toBe(0);
  });

  test('two visits are two cards, each with its own draft, its own answer and its own thanks', async () => {
    const { study, phone, page, url, visits, callForVisit, pass, cards } = await takingPart();
    await begin(phone, url, study.other, study);
    await allow(phone, url);
    await openAt(page, url);
    const first = await callForVisit();
    const second = await callForVisit();
    await expectGood(page);
    // The service reminds again of the newest only.
    expect(await page.getByRole('button', { name: /^Later: Visit/ }).count()).toBe(1);
    const open = (n: number) =>
      page
        .getByRole('link', { name: /: Visit, Open until/ })
        .nth(n)
        .click();
    const pain = page.getByLabel('How strong is the pain?');
    await open(0);
    expect(page.url()).toContain(first.identifier);
    await pain.fill('little');
    await page.getByRole('link', { name: 'Back' }).click();
    await expect.poll(() => page.locator('.card.due .main').allInnerTexts()).toEqual(['Continue', 'Answer']);
    await open(1);
    expect(page.url()).toContain(second.identifier);
    expect(await pain.inputValue()).toBe('');
    await page.getByRole('link', { name: 'Back' }).click();
    await open(0);
    await expect.poll(() => pain.inputValue()).toBe('little');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /have been sent/ }).waitFor();
    await openAt(page, url, `?survey=${first.survey}&notification=${first.identifier}`);
    await page.getByRole('heading', { name: 'You have answered this already' }).waitFor();
    await page.getByRole('link', { name: 'Go to the newest reminder' }).click();
    expect(page.url()).toContain(second.identifier);
    await openAt(page, url);
    await expect.poll(cards).toBe(1);
    expect(await storedIn(study)).toContainEqual({ pain: 'little' });
    expect(await visits()).toMatchObject([
      expect.not.objectContaining({ answeredAt: expect.anything() }),
      { identifier: first.identifier, answeredAt: expect.any(String) },
    ]);
    // The answer stays away from the card on a phone that hears nothing of the study for days.
    await pass(5);
    expect(await cards()).toBe(1);
    await open(0);
    expect(page.url()).toContain(second.identifier);
  });

  test('an answer keeps its visit away for days, though the study could not be read since', async () => {
    const { study, phone, page, url, callForVisit, pass, cards } = await takingPart();
    await begin(phone, url, study.other, study);
    const { identifier } = await callForVisit();
    await standIn(page.context(), '/user/me/notifications', (held) => held.abort());
    await page.getByRole('link', { name: /^Answer: Visit/ }).click();
    await page.getByLabel('How strong is the pain?').fill('none');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /have been sent/ }).waitFor();
    await pass(3);
    await pass(4);
    const { notifications } = (await keptBy<{ notifications: Row[] }>(page, 'snapshot')) ?? {};
    expect(notifications?.find((row) => row.identifier === identifier)).not.toHaveProperty('answeredAt');
    expect(await cards()).toBe(0);
  });

  test('a new phone finds a visit behind the many reminders that came since', async () => {
    const { study, dana, phone, url, callForVisit } = await takingPart();
    await begin(phone, url, dana, study);
    const { identifier } = await callForVisit();
    const other = await openPhone(get());
    // Of the newest reminders, as a diary with many of them has it.
    await standIn(other.context, '/user/me/notifications', async (held) => {
      const answer = await held.fetch();
      if (!held.url.endsWith('?limit=50')) return held.fulfill(answer);
      const body = JSON.parse(answer.body ?? '');
      held.fulfill({ json: { ...body, notifications: [], next: 'another-page' } });
    });
    await begin(other, url, dana, study);
    await other.page.getByRole('link', { name: /^Answer: Visit, Open until/ }).click();
    expect(other.page.url()).toContain(identifier);
  });

  test('Dana sees how much of her time is behind, and what is still open after its end, also offline', async () => {
    const { study, dana, phone, page, url, callForVisit, pass, back, cards } = await takingPart();
    const until = (days: number) =>
      study.owner.patch(`/investigation/${study.id}/member/${dana.id}`, {
        participation: { until: dayFromNow(days) },
      });
    await begin(phone, url, dana, study);
    expect(await page.locator('progress').count()).toBe(0);
    await allow(phone, url);
    await openAt(page, url);
    await callForVisit();
    expect((await until(41)).status).toBe(200);
    await openAt(page, url);
    await page.getByText('Day 1 of 42').waitFor();
    await expectGood(page);
    await pass(11);
    await page.getByText('Day 12 of 42').waitFor();
    const bar = page.locator('progress');
    expect([await bar.getAttribute('value'), await bar.getAttribute('max')]).toEqual(['12', '42']);
    await back();
    expect((await until(5)).status).toBe(200);
    await openAt(page, url);
    await page.getByText('Day 1 of 6').waitFor();
    await pass(5);
    await page.getByText('Day 6 of 6').waitFor();
    await page.getByText('No reminders are planned.').waitFor();
    await pass(6);
    await page
      .getByText('Your time in this study is over. Thank you. You can still give the answers below.')
      .waitFor();
    await page.getByText('No more reminders come: your time in this study is over.').waitFor();
    expect([await cards(), await page.getByRole('button', { name: /^Later/ }).count()]).toEqual([1, 0]);
    await expectGood(page);
    await page.getByRole('link', { name: /^Answer: Visit/ }).click();
    await page.getByLabel('How strong is the pain?').fill('none');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /are stored on this phone/ }).waitFor();
    await openAt(page, url);
    await page.getByText('Your time in this study is over. Thank you.', { exact: true }).waitFor();
    await page.getByText('Nothing to do right now').waitFor();
    expect(await page.getByText(/A reminder tells you|reminders are off/).count()).toBe(0);
    await back();
    await openAt(page, url);
    await expect.poll(() => storedIn(study)).toContainEqual({ pain: 'none' });
    expect(page.complaints).toEqual([]);
  });

  test.each([
    ['en-GB', 'Begins on {}'],
    ['de-DE', 'Beginnt am {}'],
    ['fr-FR', 'Commence le {}'],
    ['es-ES', 'Empieza el {}'],
  ])('before their time people read when it begins: %s', async (locale, text) => {
    const { study, dana, phone, page, url } = await takingPart({}, { locale });
    const from = dayFromNow(10);
    await study.owner.patch(`/investigation/${study.id}/member/${dana.id}`, { participation: { from } });
    const title = { 'en-GB': 'Today', 'de-DE': 'Heute', 'fr-FR': 'Aujourd’hui', 'es-ES': 'Hoy' }[locale];
    await begin(phone, url, dana, study, 'Sleep', title);
    const date = await page.evaluate(
      `new Intl.DateTimeFormat('${locale}', { weekday: 'long', day: 'numeric', month: 'long',
        ...('${from}'.slice(0, 4) !== String(new Date().getFullYear()) && { year: 'numeric' }) }).format(new Date('${from}T12:00'))`,
    );
    await page.getByText(text.replace('{}', String(date))).waitFor();
    expect(await page.locator('progress').count()).toBe(0);
    await expectGood(page);
  });
});
