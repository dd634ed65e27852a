import { base64Identifier, hexOf } from '../identifiers.ts';
import type { Delivery, FollowUpRecord, Notification } from './columns.ts';
import type { StoredDelivery } from './schema.ts';

/** A settled notification in its stored form: without values that other columns have. */
export function settledRow(row: Notification): Notification {
  const { deliveries, dueAt } = row;
  return {
    ...row,
    deliveries: null,
    pushes: deliveries?.length ? packDeliveries(deliveries, dueAt) : null,
    plannedFrom: null,
  };
}

/** Whether a phone has received the notification. */
export const hasReachedPhone = ({ deliveries }: Pick<Notification, 'deliveries'>): boolean =>
  (deliveries ?? []).some((delivery) => delivery.messageId);

/** The results on each phone, in the stored form of settled notifications. */
export const packDeliveries = (deliveries: readonly Delivery[], dueAt: number): StoredDelivery[] =>
  deliveries.map((one) => pack(one, dueAt));

/** The result on each phone: from `deliveries` for pending notifications, from `pushes` for settled ones. */
export const deliveriesOf = ({
  deliveries,
  pushes,
  dueAt,
}: Pick<Notification, 'deliveries' | 'pushes' | 'dueAt'>): Delivery[] =>
  deliveries?.length ? deliveries : (pushes ?? []).map((one) => unpack(one, dueAt));

/** The same from a list in either form, for the export. */
export const readDeliveries = (
  stored: readonly (Delivery | StoredDelivery)[] | null,
  dueAt: number,
): Delivery[] => (stored ?? []).map((one) => (Array.isArray(one) ? unpack(one, dueAt) : one));

/** Later pushes in their stored form: finished ones take fewer bytes. */
export function storedFollowUp(entry: FollowUpRecord): FollowUpRecord {
  const { deliveries, attempts, ...rest } = entry;
  if (!deliveries || entry.state === 'retrying') return entry;
  const pushes = packDeliveries(deliveries, Date.parse(entry.dueAt));
  return { ...rest, ...(attempts !== undefined && attempts > 1 && { attempts }), pushes };
}

/** Later pushes in the form of the API. */
export const readFollowUps = (stored: readonly FollowUpRecord[] | null): FollowUpRecord[] =>
  (stored ?? []).map(({ pushes, ...entry }) =>
    pushes ? { attempts: 1, ...entry, deliveries: readDeliveries(pushes, Date.parse(entry.dueAt)) } : entry,
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
