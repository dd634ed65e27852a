import { base64Identifier, hexOf } from '../identifiers.ts';
import type { Notification } from './columns.ts';
import type { Deliveries, Delivery, FollowUpRecord, StoredDelivery } from './schema.ts';

/** A settled notification in its stored form: without values that other columns have. */
export function settledRow(row: Notification): Notification {
  const { deliveries, dueAt } = row;
  return {
    ...row,
    deliveries: deliveries?.length ? packDeliveries(deliveries, dueAt) : null,
    plannedFrom: null,
  };
}

type Pushed = Pick<Notification, 'deliveries' | 'dueAt'>;

/** Whether a phone has received the notification. */
export const hasReachedPhone = (pushed: Pushed): boolean =>
  deliveriesOf(pushed).some(({ messageId }) => messageId);

/** The results on each phone, in the stored form of settled notifications. */
export const packDeliveries = (deliveries: Deliveries, dueAt: number): StoredDelivery[] =>
  readDeliveries(deliveries, dueAt).map((one) => pack(one, dueAt));

/** The result on each phone. */
export const deliveriesOf = ({ deliveries, dueAt }: Pushed): Delivery[] => readDeliveries(deliveries, dueAt);

/** The same from a list in either form. */
export const readDeliveries = (stored: Deliveries | null, dueAt: number): Delivery[] =>
  (stored ?? []).map((one) => (Array.isArray(one) ? unpack(one, dueAt) : one));

/** Later pushes in their stored form: finished ones take fewer bytes. */
export function storedFollowUp(entry: FollowUpRecord): FollowUpRecord {
  const { deliveries, attempts, ...rest } = entry;
  if (!deliveries || entry.state === 'retrying') return entry;
  return {
    ...rest,
    ...(attempts !== undefined && attempts > 1 && { attempts }),
    deliveries: packDeliveries(deliveries, Date.parse(entry.dueAt)),
  };
}

/** Later pushes in the form of the API. */
export const readFollowUps = (
  stored: readonly FollowUpRecord[] | null,
): (FollowUpRecord & { deliveries?: Delivery[] })[] =>
  (stored ?? []).map(({ deliveries, ...entry }) =>
    deliveries
      ? { attempts: 1, ...entry, deliveries: readDeliveries(deliveries, Date.parse(entry.dueAt)) }
      : entry,
  );

function pack({ device, platform, at, messageId, error, language }: Delivery, dueAt: number): StoredDelivery {
  const result = messageId === undefined ? `!${error ?? ''}` : packMessage(messageId);
  const stored = [packIdentifier(device), platform, Date.parse(at) - dueAt, result] as const;
  return language === undefined ? [...stored] : [...stored, language];
}

function unpack([device, platform, afterDueMs, result, language]: StoredDelivery, dueAt: number): Delivery {
  return {
    device: unpackIdentifier(device),
    platform,
    at: new Date(dueAt + afterDueMs).toISOString(),
    ...(result.startsWith('!') ? { error: result.slice(1) } : { messageId: unpackMessage(result) }),
    ...(language !== undefined && { language }),
  };
}

const packIdentifier = (identifier: string) =>
  /^[0-9a-f]{32}$/.test(identifier) ? base64Identifier(identifier).replace('==', '') : `=${identifier}`;

const unpackIdentifier = (packed: string) =>
  packed.startsWith('=')
    ? packed.slice(1)
    : hexOf(Uint8Array.from(atob(packed), (character) => character.charCodeAt(0)));

const uuid = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/;

/** SNS names messages by UUIDs. */
const packMessage = (message: string) =>
  uuid.test(message) ? packIdentifier(message.replaceAll('-', '')) : `=${message}`;

const unpackMessage = (packed: string) =>
  packed.startsWith('=')
    ? packed.slice(1)
    : unpackIdentifier(packed).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
