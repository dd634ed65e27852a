import { base64Identifier, hexOf } from '../identifiers.ts';
import type { Delivery, FollowUpRecord, Notification } from './columns.ts';
import type { StoredDelivery } from './schema.ts';

/** A notification as it is stored when it is settled: without what other columns tell. */
export function settledRow(row: Notification): Notification {
  const { deliveries, dueAt } = row;
  return {
    ...row,
    deliveries: null,
    pushes: deliveries?.length ? packDeliveries(deliveries, dueAt) : null,
    plannedFrom: null,
  };
}

/** Whether a phone has it. */
export const hasReachedPhone = ({ deliveries }: Pick<Notification, 'deliveries'>): boolean =>
  (deliveries ?? []).some((delivery) => delivery.messageId);

/** What became of it on each phone, as it is stored of what is settled. */
export const packDeliveries = (deliveries: readonly Delivery[], dueAt: number): StoredDelivery[] =>
  deliveries.map((one) => pack(one, dueAt));

/** The result on each phone. `deliveries` holds it of a pending notification, `pushes` of a settled one. */
export const deliveriesOf = ({
  deliveries,
  pushes,
  dueAt,
}: Pick<Notification, 'deliveries' | 'pushes' | 'dueAt'>): Delivery[] =>
  deliveries?.length ? deliveries : (pushes ?? []).map((one) => unpack(one, dueAt));

/** The same of a list in either form, as the export reads it from the row. */
export const readDeliveries = (
  stored: readonly (Delivery | StoredDelivery)[] | null,
  dueAt: number,
): Delivery[] => (stored ?? []).map((one) => (Array.isArray(one) ? unpack(one, dueAt) : one));

/** What followed as it is stored: in fewer bytes when it is over. */
export function storedFollowUp(entry: FollowUpRecord): FollowUpRecord {
  const { deliveries, attempts, ...rest } = entry;
  if (!deliveries || entry.state === 'retrying') return entry;
  const pushes = packDeliveries(deliveries, Date.parse(entry.dueAt));
  return { ...rest, ...(attempts !== undefined && attempts > 1 && { attempts }), pushes };
}

/** Later pushes as they are shown: those that are over are stored in fewer bytes. */
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
