import { expect, test } from 'vitest';
import { linesOf } from '../support/lists.ts';
import { minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { daily, history, pendingOf, ring } from '../support/worker/reminders.ts';
import { breakSns } from '../support/worker/sns.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

const due = Date.parse('2027-03-01T20:30:00.000Z');
const french = { subject: 'Journal du sommeil', body: 'Comment était votre nuit ?' };

test('the history has each push to each phone: when, with which message, in which language, or why not; so has the export', async () => {
  setClock(startOfTests);
  const study = await sleepStudy({
    ...daily,
    translations: { fr: french },
    followUps: { every: 30, max: 2 },
  });
  const { responder: chidi } = study;
  const android = await newPhone(chidi);
  const ios = await newPhone(chidi, 'Europe/Paris', 'ios');
  const lost = await newPhone(chidi);
  await chidi.patch(`/device/${ios.id}`, { language: 'fr-CA' });
  await breakSns(lost.token, 'Publish', { code: 'EndpointDisabled' });
  await pendingOf(chidi);
  for (const at of [due, due + 30 * minutes]) {
    setClock(at);
    await ring(chidi);
  }
  const sent = (await history(chidi)).find(({ state }) => state === 'sent');
  const messageId = expect.stringMatching(/^.{36}$/);
  const first = '2027-03-01T20:30:00.000Z';
  const nudge = '2027-03-01T21:00:00.000Z';
  const byDevice = <T extends { device: string }>(some: T[]) =>
    some.toSorted((a, b) => (a.device < b.device ? -1 : 1));
  expect(byDevice(sent.deliveries)).toEqual(
    byDevice([
      { device: android.id, platform: 'android', at: first, messageId },
      { device: ios.id, platform: 'ios', at: first, messageId, language: 'fr' },
      { device: lost.id, platform: 'android', at: first, error: expect.stringContaining('EndpointDisabled') },
    ]),
  );
  expect(sent.followUps).toMatchObject([
    { kind: 'nudge', dueAt: nudge, at: nudge, state: 'sent', attempts: 1 },
  ]);
  expect(byDevice(sent.followUps[0].deliveries)).toEqual(
    byDevice([
      { device: android.id, platform: 'android', at: nudge, messageId },
      { device: ios.id, platform: 'ios', at: nudge, messageId, language: 'fr' },
    ]),
  );
  const lines = linesOf((await chidi.get('/user/me/export')).text);
  const exported = lines.find((line) => line.state === 'sent');
  expect([exported.deliveries, exported.followUps]).toEqual([sent.deliveries, sent.followUps]);
});
