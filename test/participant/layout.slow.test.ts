import { expect, test } from 'vitest';
import { describeConsole, type Visit } from '../console/support/console.ts';
import { created } from '../support/people.ts';
import { newStudy } from '../support/studies.ts';
import { keepSession } from './support/kept-session.ts';
import { begin, changeKept, iPhone, openAt, openPhone } from './support/phone.ts';

/* Small phones and large text: every screen at 320 and 360 pixels, with letters of twice the size, in all languages. */

const word = 'Rechtsschutzversicherungsgesellschaften';
const reminders = {
  type: 'rolling',
  recurrence: '0 12 * * *',
  ends: null,
  expiresAfter: 14 * 1440,
  answerWithin: 2 * 1440,
  notification: { subject: word, body: word },
};
const options = [word, 'Ja', 'Gelegentlich', 'Arbeitsunfähigkeitsbescheinigung'].map((label, n) => ({
  value: `${n}`,
  label,
}));
const items = [
  { identifier: 'text', label: `Wie war ${word} heute?`, answer: { kind: 'text', required: true } },
  { identifier: 'number', label: word, answer: { kind: 'number' } },
  { identifier: 'choice', label: word, answer: { kind: 'choice', options } },
  { identifier: 'choices', label: 'Welche?', answer: { kind: 'choices', options } },
  {
    identifier: 'scale',
    label: 'Schmerzen',
    answer: {
      kind: 'scale',
      min: 0,
      max: 10,
      options: [
        { value: '0', label: word },
        { value: '10', label: word },
      ],
    },
  },
  { identifier: 'five', label: 'Fünf', answer: { kind: 'scale', min: 1, max: 5 } },
  { identifier: 'long', label: 'Hundert', answer: { kind: 'scale', min: 0, max: 100 } },
  { identifier: 'yes', label: 'Ja?', answer: { kind: 'yes-no' } },
  { identifier: 'time', label: 'Wann?', answer: { kind: 'time' } },
  { identifier: 'date', label: 'Welcher Tag?', answer: { kind: 'date' } },
];

/** Text that leaves the screen, or is cut off by its own box. */
const cut = `(() => {
  const found = [];
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) found.push('scrolls sideways: ' + document.documentElement.scrollWidth);
  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('.unseen, svg') || element.getClientRects().length === 0) continue;
    const dialog = document.querySelector('dialog[open]');
    if (dialog && !dialog.contains(element)) continue;
    const name = element.tagName + '.' + element.className + ': ' + element.textContent.slice(0, 40);
    const { left, right } = element.getBoundingClientRect();
    if (left < -1 || right > width + 1) found.push('leaves the screen: ' + name);
    const { overflowX, textOverflow } = getComputedStyle(element);
    const holdsText = [...element.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
    if (holdsText && (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0) &&
      getComputedStyle(element).display !== 'inline') found.push('is cut: ' + name);
    if (element.matches('input.code') && element.scrollWidth > element.clientWidth + 1) found.push('is cut: ' + name);
  }
  return found;
})()`;

async function expectWhole(page: Visit, where: string) {
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
  await expect.poll(() => page.evaluate<string[]>(cut), { message: where }).toEqual([]);
}

describeConsole('large text on a small phone', (get) => {
  test.each(['en', 'de', 'fr', 'es'])('is whole at 320 pixels in %s, on every screen', async (language) => {
    const width = 320;
    const url = get().service.url;
    const study = await newStudy(get().world, { of: `layout ${language}`, reminders });
    expect((await study.editor.patch(`/survey/${study.survey}`, { items })).status).toBe(200);
    const information = {
      [language]: { title: word, text: `${word} ${word}`, contact: `${word}@example.org` },
    };
    await study.owner.patch(`/investigation/${study.id}`, {
      name: `Studie ${word}`,
      information,
      participationDays: 42,
    });
    const { url: link } = created(await study.editor.post(`/investigation/${study.id}/enrolment`));
    const joining = await openPhone(get(), { locale: language, viewport: { width, height: 740 } });
    await joining.page.goto(`${url}/p/`);
    await joining.page.locator('input.code').fill('7M2K-9QXB-4TWD');
    await joining.page.locator('button[type=submit]').click();
    await joining.page.locator('.fault').waitFor();
    await expectWhole(joining.page, 'the form for a code');
    await joining.page.goto('about:blank');
    await joining.page.goto(link);
    await joining.page.locator('.prose').first().waitFor();
    await expectWhole(joining.page, 'the text of the study');

    const phone = await openPhone(get(), { locale: language, viewport: { width, height: 740 } });
    const { page } = phone;
    const today = { en: 'Today', de: 'Heute', fr: 'Aujourd’hui', es: 'Hoy' }[language];
    await begin(phone, url, study.responder, study, `Studie ${word}`, today);
    const visit = { survey: study.survey, notification: '1'.repeat(32) };
    await phone.push({ title: word, body: word, data: visit });
    const late = '(pushes) => pushes.map((push) => ({ ...push, at: push.at - 3 * 24 * 3600_000 }))';
    await changeKept(page, late, 'arrived');
    await openAt(page, url);
    await page.locator('.card.due').waitFor();
    await page.locator('progress').waitFor();
    await expectWhole(page, 'today');
    for (const [view, ready] of [
      [`survey=${study.survey}`, 'form'],
      ['view=settings', '.button.danger'],
      ['view=reminders', 'h1'],
      ['view=sent', 'h1'],
      ['view=about', '.prose'],
      ['view=join', 'h1'],
    ] as const) {
      await page.goto(`${url}/p/?${view}`);
      await page.locator(ready).first().waitFor();
      await expectWhole(page, view);
      if (view.startsWith('survey')) {
        await page.locator('form .button.main').click();
        await page.locator('.fault').first().waitFor();
        await expectWhole(page, 'a form with a fault');
      }
      if (view === 'view=settings')
        await page
          .locator('.button.danger')
          .click()
          .then(() => expectWhole(page, 'a dialog'));
    }
    const { token, id: user } = study.responder;
    const ended = { token, user, study: { identifier: study.id, name: `Studie ${word}` }, ended: true };
    await keepSession(page, url, ended as Parameters<typeof keepSession>[2]);
    await page.goto(`${url}/p/`);
    await page.locator('a.button.main').waitFor();
    await expectWhole(page, 'an ended connection');
  });

  test('an iPhone without the page on its home screen is told how, with whole pictures', async () => {
    const study = await newStudy(get().world, { of: 'layout iPhone' });
    const { url } = created(await study.editor.post(`/investigation/${study.id}/enrolment`));
    const { page } = await openPhone(get(), {
      userAgent: iPhone,
      locale: 'de',
      viewport: { width: 320, height: 740 },
    });
    await page.goto(url);
    await page.locator('.steps').waitFor();
    await expectWhole(page, 'the steps');
  });
});
