import { expect, test } from 'vitest';
import type { Notification } from '../../src/reminders/columns.ts';
import { deliveriesOf, readFollowUps, settledRow, storedFollowUp } from '../../src/reminders/deliveries.ts';
import type { Delivery, FollowUpRecord } from '../../src/reminders/schema.ts';

const dueAt = Date.parse('2027-03-01T20:30:00.000Z');
const at = '2027-03-01T20:30:01.250Z';
const sent: Delivery = {
  device: '01a4001a7c0077e2bba40e6a6233e794',
  platform: 'android',
  at,
  messageId: '6014fe16-26c1-5a8e-b1d3-a2b5e1f0c7d4',
};

const refused: Delivery = { device: sent.device, platform: 'ios', at, error: 'EndpointDisabled' };

const settled = (deliveries: Delivery[]) =>
  settledRow({ dueAt, nextAttemptAt: dueAt, plannedFrom: '1/2/2026f', deliveries } as Notification);

test.each<[string, Delivery]>([
  ['sent', sent],
  ['sent in a language', { ...sent, language: 'pt-BR' }],
  ['not sent', refused],
  ['of another relay, whose messages have other names', { ...sent, messageId: 'm' }],
  [
    'of a message whose name is a UUID in capitals',
    { ...sent, messageId: sent.messageId?.toUpperCase() ?? '' },
  ],
  ['of a message whose name is that of a device', { ...sent, messageId: sent.device }],
  ['whose names begin with a sign', { ...sent, device: '=x', messageId: '!y' }],
  ['earlier than it was due', { ...sent, at: '2027-03-01T20:29:59.000Z' }],
])('a delivery that was %s is read as it was', (_, delivery) => {
  const row = settled([delivery, sent]);
  expect(deliveriesOf(row)).toEqual([delivery, sent]);
  expect(settledRow(row)).toEqual(row);
});

test('a settled notification keeps nothing that other columns tell', () => {
  expect(settled([sent])).toMatchObject({ plannedFrom: null });
  expect(settled([])).toMatchObject({ deliveries: null });
  expect(JSON.stringify(settled([sent]).deliveries).length).toBeLessThan(75);
  const late = { dueAt, nextAttemptAt: dueAt + 5_000, deliveries: [sent] } as Notification;
  expect(settledRow(late).nextAttemptAt).toBe(dueAt + 5_000);
});

const nudge: FollowUpRecord = {
  kind: 'nudge',
  dueAt: '2027-03-01T21:00:00.000Z',
  at,
  state: 'sent',
  attempts: 1,
};

test.each<[string, FollowUpRecord]>([
  ['was sent', { ...nudge, deliveries: [sent] }],
  ['was sent at the third attempt', { ...nudge, attempts: 3, deliveries: [sent, sent] }],
  ['failed', { ...nudge, state: 'failed', reason: 'relay', deliveries: [refused] }],
  ['reached no phone', { ...nudge, state: 'failed', deliveries: [] }],
  ['was left out', { kind: 'snooze', dueAt: nudge.dueAt, at, state: 'skipped', reason: 'answered' }],
  ['is to be tried again', { ...nudge, state: 'retrying', deliveries: [refused] }],
])('a nudge that %s is read as it was', (_, entry) => {
  expect(readFollowUps([storedFollowUp(entry)])).toEqual([entry]);
  // Statements read what is to be tried again.
  expect(storedFollowUp(entry) === entry).toBe(entry.state === 'retrying' || entry.state === 'skipped');
});
