import * as z from 'zod';
import { invalidParameter } from './protocol.ts';

/** A push as the phone shows it. */
export interface Payload {
  title: string | null;
  body: string | null;
  data: Record<string, unknown>;
  /** The Android tag. Apple's collapse id travels beside the payload, as a message attribute. */
  tag: string | null;
}

const maxPayloadBytes = 4096;
const text = z.string().optional();
const alert = z.looseObject({ title: text, body: text });

/** HTTP v1: firebase.google.com/docs/reference/fcm/rest/v1/projects.messages. */
const fcm = z.looseObject({
  fcmV1Message: z.looseObject({
    message: z.looseObject({
      notification: alert.optional(),
      data: z.record(z.string(), z.string()).optional(),
      android: z
        .looseObject({
          ttl: z
            .string()
            .regex(/^\d+(\.\d{1,9})?s$/, "must be seconds followed by 's', such as '3600s'")
            .optional(),
          notification: z.looseObject({ tag: text }).optional(),
        })
        .optional(),
    }),
  }),
});

const apns = z.looseObject({
  aps: z.looseObject({
    alert: z.preprocess((value) => (typeof value === 'string' ? { body: value } : value), alert.optional()),
  }),
});

/** Reads a platform's payload. One that Google or Apple would refuse is `InvalidParameter` already here. */
export function readPayload(platform: string, text: string): Payload {
  if (platform === 'GCM') {
    const { notification, data = {}, android } = parse(platform, fcm, text).fcmV1Message.message;
    return { ...textsOf(notification), data, tag: android?.notification?.tag ?? null };
  }
  if (platform === 'APNS' || platform === 'APNS_SANDBOX') {
    const { aps, ...data } = parse(platform, apns, text);
    return { ...textsOf(aps.alert), data, tag: null };
  }
  return { title: null, body: text, data: {}, tag: null };
}

function parse<T>(platform: string, schema: z.ZodType<T>, text: string): T {
  const refuse = (reason: string) =>
    invalidParameter(`Message Reason: Invalid notification for protocol ${platform}: ${reason}`);
  if (Buffer.byteLength(text) > maxPayloadBytes)
    throw refuse(
      platform === 'GCM' ? 'Notification data is larger than allowed limit' : 'Notification is too long',
    );
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw refuse('Notification is malformed: not JSON');
  }
  const { data, error } = schema.safeParse(json);
  if (!error) return data;
  const [issue] = error.issues;
  const where = issue?.path.join('.') || 'the payload';
  const rule =
    issue?.code === 'invalid_type'
      ? `must be ${issue.expected === 'string' ? 'a string' : 'an object'}`
      : issue?.message;
  throw refuse(`Notification is malformed: ${where} ${rule}`);
}

const textsOf = ({ title, body }: z.output<typeof alert> = {}) => ({
  title: title ?? null,
  body: body ?? null,
});
