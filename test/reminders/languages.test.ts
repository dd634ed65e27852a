import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { countedD1 } from '../../tools/database/counted-d1.ts';
import { deliver } from '../support/engine.ts';
import type { Answer } from '../support/people.ts';
import { later, minutes, setClock } from '../support/worker/clock.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { daily, history, pendingOf, ring } from '../support/worker/reminders.ts';
import { newPhone, signUp, sleepStudy } from '../support/worker/world.ts';

const french = { subject: 'Journal du sommeil', body: 'Comment était votre nuit ?' };
const brazilian = { subject: 'Diário do sono', body: 'Como foi sua noite?' };
const translated = { ...daily, translations: { fr: french, 'pt-BR': brazilian } };

const due = '2027-03-01T20:30:00.000Z';

test('each phone gets the text in its language, in the payload of its service', async () => {
  const study = await sleepStudy(translated);
  const user = study.responder;
  const [quebec, brazil, vienna, silent] = [
    await newPhone(user),
    await newPhone(user, 'Europe/Paris', 'ios'),
    await newPhone(user),
    await newPhone(user),
  ];
  for (const [phone, language] of [
    [quebec, 'fr-CA'],
    [brazil, 'PT-br'],
    [vienna, 'de-AT'],
  ] as const)
    expect((await user.patch(`/device/${phone.id}`, { language })).body).toMatchObject({ language });
  await pendingOf(user);
  setClock(due);
  await ring(user);

  const texts = await Promise.all([quebec, brazil, vienna, silent].map((phone) => phone.inbox()));
  expect(texts).toMatchObject([
    [{ title: french.subject, body: french.body }],
    [{ title: brazilian.subject, body: brazilian.body }],
    [{ title: daily.notification.subject, body: daily.notification.body }],
    [{ title: daily.notification.subject, body: daily.notification.body }],
  ]);
  const sent = (await history(user)).find((row) => row.state === 'sent');
  const languageOn = (device: string) =>
    sent.deliveries.find((delivery: { device: string }) => delivery.device === device).language;
  expect([quebec, brazil, vienna, silent].map(({ id }) => languageOn(id))).toEqual([
    'fr',
    'pt-BR',
    undefined,
    undefined,
  ]);
});

test('a phone tells its language when it registers, keeps it when it registers again without, and may take it back', async () => {
  const ada = await signUp('Ada');
  const phone = { platform: 'android', token: `token-${ada.id}`, timeZone: 'Europe/Paris' };
  const first = await ada.post('/user/me/device', { ...phone, language: 'fr-CA' });
  expect(first).toMatchObject({ status: 201, body: { language: 'fr-CA' } });
  expect(await ada.post('/user/me/device', phone)).toMatchObject({
    status: 200,
    body: { language: 'fr-CA' },
  });
  expect((await ada.post('/user/me/device', { ...phone, language: 'sv' })).body.language).toBe('sv');
  const path = `/device/${first.body.identifier}`;
  expect((await ada.patch(path, { timeZone: 'Asia/Tokyo' })).body.language).toBe('sv');
  expect((await ada.patch(path, { language: null })).body).not.toHaveProperty('language');
  expect((await ada.get(path)).body).not.toHaveProperty('language');
});

test('a phone that moves to another user does not bring the language of the first', async () => {
  const [ada, grace] = [await signUp('Ada'), await signUp('Grace')];
  const phone = { platform: 'android', token: `shared-${ada.id}`, timeZone: 'Europe/Paris' };
  await ada.post('/user/me/device', { ...phone, language: 'fr' });
  expect((await grace.post('/user/me/device', phone)).body).not.toHaveProperty('language');
});

test.each(['fr_CA', 'French, please', '', 7])(
  'a device whose language is %j is refused',
  async (language) => {
    const ada = await signUp('Ada');
    const phone = await newPhone(ada);
    const refused = (answer: Answer) => {
      expectProblem(answer, 'request.invalid', ['/language']);
      expect(answer.body.errors[0].detail).toBe('Expected a language tag of BCP 47, such as fr or pt-BR.');
    };
    refused(await ada.patch(`/device/${phone.id}`, { language }));
    refused(
      await ada.post('/user/me/device', {
        platform: 'android',
        token: 'x',
        timeZone: 'Europe/Paris',
        language,
      }),
    );
  },
);

describe('translations', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`fr-x-${n}`, french]));

  test('are stored and shown as they were given, and fifty are taken', async () => {
    const study = await sleepStudy();
    const translations = many(50);
    const answer = await study.owner.patch(`/survey/${study.survey}`, {
      reminders: { ...daily, translations },
    });
    expect(answer.status, answer.text).toBe(200);
    expect((await study.responder.get(`/survey/${study.survey}`)).body.reminders.translations).toEqual(
      translations,
    );
    const again = await study.owner.patch(`/survey/${study.survey}`, {
      reminders: { ...daily, translations },
    });
    expect(again.headers.get('etag')).toBe(answer.headers.get('etag'));
  });

  test.each<[string, object, string, string]>([
    [
      'a tag that is none',
      { fr_CA: french },
      '/fr_CA',
      'Expected a language tag of BCP 47, such as fr or pt-BR.',
    ],
    [
      'a tag twice, in another case',
      { 'pt-BR': french, 'PT-br': french },
      '/PT-br',
      'Expected each language tag once, in any case.',
    ],
    ['51 tags', many(51), '', 'Expected at most 50 translations.'],
    [
      'a text without a body',
      { fr: { subject: 'Journal' } },
      '/fr/body',
      'Expected a text of 1 to 4000 characters.',
    ],
    [
      'a subject that is too long',
      { fr: { subject: 'x'.repeat(201), body: 'x' } },
      '/fr/subject',
      'Too long: expected 1 to 200 characters.',
    ],
    [
      'a text that is too large for a push',
      { fr: french, 'zh-Hant': { subject: '日', body: '日'.repeat(1400) } },
      '/zh-Hant',
      'Expected a subject and a body that fit the 4 KB of the push services together.',
    ],
  ])('with %s are refused', async (_, translations, pointer, detail) => {
    const study = await sleepStudy(daily);
    const refused = (answer: Answer) => {
      expectProblem(answer, 'request.invalid', [`/reminders/translations${pointer}`]);
      expect(answer.body.errors[0].detail).toBe(detail);
    };
    const reminders = { ...daily, translations };
    refused(await study.owner.patch(`/survey/${study.survey}`, { reminders }));
    refused(
      await study.owner.post(`/investigation/${study.id}/survey`, { name: 'Diary', items: [], reminders }),
    );
    refused(
      await study.owner.post('/reminders/preview', {
        reminders,
        timeZone: 'Europe/Paris',
        startsOn: '2027-03-01',
      }),
    );
  });
});

test('a delivery reads of fifty translations the one it needs, and pays no round trip and no row written for it', async () => {
  const long = { subject: 'x'.repeat(200), body: 'y'.repeat(2000) };
  const others = Object.fromEntries(Array.from({ length: 49 }, (_, n) => [`de-x-${n}`, long]));
  const study = await sleepStudy({ ...daily, translations: { ...others, fr: french } });
  const phone = await newPhone(study.responder);
  await study.responder.patch(`/device/${phone.id}`, { language: 'fr-CH' });
  await pendingOf(study.responder);
  later(minutes);
  setClock(due);
  const { counts, database } = countedD1(env.DB);
  const services = { ...createServices(env), db: openD1(database), log: () => {} };
  await deliver(services, study.responder.id);
  expect(counts).toMatchObject({ roundTrips: 2, rowsWritten: 8 });
  expect(counts.rowsRead).toBeLessThanOrEqual(121);
  expect(await phone.inbox()).toMatchObject([{ title: french.subject }]);
});
