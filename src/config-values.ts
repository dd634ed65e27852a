import * as z from 'zod';
import { isLoopback } from './local-mode.ts';

/** Required text. */
export const required = (example: string) =>
  z.string({ error: `is missing; set it, for example to ${example}` }).min(1);

/** From the name of a platform to the ARN of its application. */
export const platformApplications = z
  .string({ error: 'is missing; set it to a JSON map from platform name to platform application ARN' })
  .transform((text, ctx) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      ctx.addIssue('is not JSON; expected a map such as {"android":"arn:aws:sns:...:app/GCM/..."}');
      return z.NEVER;
    }
  })
  .pipe(
    z.record(
      z
        .string()
        .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'has a platform name that is not lower-case letters and digits')
        .refine(
          (name) => name !== 'web',
          'has the platform `web`, which is that of browsers (VAPID_PRIVATE_KEY)',
        ),
      z
        .string()
        .regex(
          /^arn:[\w-]+:sns:[\w-]*:\d*:app\/\w+\/[\w.-]+$/,
          'has a value that is not a platform application ARN',
        ),
    ),
  );

/** HTTP deliveries come from standard topics, whose names are those of Amazon SNS, "CreateTopic". */
const topic = /^arn:aws[\w-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/;

/** A JSON list, or values with commas between them. */
export const listOf = <S extends z.ZodType<string, string>>(value: S, what: string, example: string) =>
  z
    .string()
    .transform((text, ctx) => {
      try {
        return text.trim().startsWith('[')
          ? (JSON.parse(text) as string[])
          : text.split(',').map((one) => one.trim());
      } catch {
        ctx.addIssue(
          `is not JSON; expected a list such as ["${example}"], or ${what} with commas between them`,
        );
        return z.NEVER;
      }
    })
    .pipe(z.array(value, `is not a list of ${what}`));

/** Topics whose messages are accepted. */
export const eventTopics = listOf(
  z.string().regex(topic, 'has a value that is not the ARN of a topic'),
  'ARNs',
  'arn:aws:sns:...',
);

/** Push services of browsers: a host, with a port where it is not 443, and `*.` before it for all names below. */
export const webPushHosts = listOf(
  z
    .string()
    .regex(
      /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/,
      'has a value that is not a host in lower case',
    )
    .transform((host) => host.replace(/:443$/, '')),
  'hosts',
  '*.push.services.mozilla.com',
);

/** An Ed25519 key in PKCS #8, base64 of its DER. */
export const signingKey = (fault: string) =>
  z
    .string()
    .regex(
      /^MC4CAQAwBQYDK2VwBCIEI[A-Za-z0-9+/]{43}$/,
      `${fault} an Ed25519 key in PKCS #8, as base64 of its DER (openssl genpkey -algorithm ed25519 -outform DER | base64)`,
    );

/** A whole number from 0 to `most`. */
export const wholeNumber = (fallback: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `is not a whole number from 0 to ${most}`)
    .transform(Number)
    .refine((n) => n <= most, `is not a whole number from 0 to ${most}`)
    .default(fallback);

/** Exactly as browsers send them (RFC 6454, 6.2); `*` and `null` would admit everyone. */
export const origins = listOf(
  z
    .string()
    .refine(
      (text) => /^https?:[^*]+$/.test(text) && URL.parse(text)?.origin === text,
      'has a value that is not an origin: expected a scheme and a host, without a slash at the end',
    ),
  'origins',
  'https://app.example.org',
);

/** Keys fetched without TLS could be anybody's. */
export function isSafeUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol === 'http:') return isLoopback(url.hostname);
  return url?.protocol === 'https:';
}

/** Domains that exist in no public DNS: RFC 2606, RFC 6761, RFC 6762, RFC 7686, RFC 8375, and what routers and offices use. */
const privateDomain =
  /(?:^|\.)(?:localhost|localdomain|local|invalid|test|example|internal|intranet|lan|home|corp|private|arpa|onion)$/;

/** Whether a `mailto:` or https URL names a public domain, by which strangers can reach its owner. */
export function isPublicContact(text: string): boolean {
  const host = text.startsWith('mailto:')
    ? /@([^@?/:#\\]+)(?:\?.*)?$/.exec(text)?.[1]
    : /^https:\/\/([^@/?#:\\]+)(?::\d+)?(?:[/?#].*)?$/.exec(text)?.[1];
  // Names in other scripts as DNS has them.
  const name = URL.parse(`https://${host ?? ''}`)?.hostname ?? '';
  return /^(?:[a-z0-9-]+\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/.test(name) && !privateDomain.test(name);
}
