import * as z from 'zod';
import {
  eventTopics,
  isPublicContact,
  isSafeUrl,
  listOf,
  origins,
  platformApplications,
  required,
  signingKey,
  webPushHosts,
  wholeNumber,
} from './config-values.ts';
import { isPublished } from './local-mode.ts';
import type { Limits } from './services.ts';

/** Locations of Durable Objects: developers.cloudflare.com, "Data location". */
const locations = ['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me'] as const;

/** The push services of Chrome and Edge, Firefox, Edge on Windows, and Safari. */
export const browserHosts = [
  'fcm.googleapis.com',
  '*.push.services.mozilla.com',
  '*.notify.windows.com',
  'web.push.apple.com',
  '*.push.apple.com',
];

/** Stand for the settings of SNS where browsers are the only phones. */
const noSns = {
  AWS_REGION: '-',
  AWS_ACCESS_KEY_ID: '-',
  AWS_SECRET_ACCESS_KEY: '-',
  SNS_PLATFORM_APPLICATIONS: '{}',
};

/** Checked even if another setting is at fault, so that one message names them all. */
const always = () => true;

const environment = z
  .object({
    AUTH_ISSUER: required('https://login.example.org/'),
    AUTH_AUDIENCE: required('fieldbell'),
    AUTH_JWKS_URL: z
      .string()
      .refine(isSafeUrl, 'is not an https URL (http is for the loopback address only)')
      .optional(),
    AUTH_SECRET: z
      .string()
      .refine((secret) => new TextEncoder().encode(secret).length >= 32, 'is shorter than 32 bytes')
      .optional(),
    AWS_REGION: required('eu-central-1'),
    AWS_ACCESS_KEY_ID: required('AKIA...'),
    AWS_SECRET_ACCESS_KEY: required('the secret of that key'),
    AWS_SESSION_TOKEN: z.string().optional(),
    SNS_PLATFORM_APPLICATIONS: platformApplications,
    SNS_ENDPOINT: z.url({ protocol: /^https?$/, error: 'is not an http or https URL' }).optional(),
    SNS_EVENT_TOPICS: eventTopics.default([]),
    VAPID_PRIVATE_KEY: z
      .string()
      .regex(
        /^[\w-]{42}[AEIMQUYcgkosw048]$/,
        'is not the private scalar of a P-256 key, 32 bytes as base64url (npm run -s vapid-key)',
      )
      .optional(),
    VAPID_SUBJECT: z
      .string()
      .regex(
        /^(?:mailto:[^\s@<>]+@[^\s@<>]+|https:\/\/[^\s<>]+)$/,
        'is not a mailto: or https URL by which push services can reach you',
      )
      .refine(
        isPublicContact,
        'names no public domain, without which Apple refuses all pushes: set it to an address of yours, for example to mailto:operator@example.org',
      )
      .optional(),
    WEB_PUSH_HOSTS: webPushHosts.default(browserHosts),
    CORS_ORIGINS: origins.default([]),
    CONSOLE_CLIENT_ID: z.string().max(500, 'is longer than 500 characters').optional(),
    CONSOLE_SCOPE: z
      .string()
      .regex(
        /^[\x21\x23-\x5B\x5D-\x7E]+(?: [\x21\x23-\x5B\x5D-\x7E]+)*$/,
        'is not a list of scopes, each after a space',
      )
      .default('openid email'),
    CONSOLE_ORIGINS: origins.default([]),
    RATE_LIMIT_USER: wholeNumber(300, 1_000_000),
    RATE_LIMIT_ADDRESS: wholeNumber(100, 1_000_000),
    RATE_LIMIT_CODE: wholeNumber(10, 1_000_000),
    RATE_LIMIT_ENROL: wholeNumber(300, 1_000_000),
    MAX_STUDIES: wholeNumber(50, 1_000_000),
    MAX_MEMBERSHIPS: wholeNumber(200, 1_000),
    MAX_SURVEYS: wholeNumber(200, 1_000),
    MAX_MEMBERS: wholeNumber(100_000, 1_000_000),
    MAX_CASES: wholeNumber(1_000_000, 100_000_000),
    MAX_REVISIONS: wholeNumber(10_000, 1_000_000),
    MAX_STUDY_BYTES: wholeNumber(2_000_000_000, 1_000_000_000_000),
    MAX_PERSON_BYTES: wholeNumber(20_000_000, 10_000_000_000),
    MAX_PARTICIPANTS_BYTES: wholeNumber(200_000_000, 10_000_000_000),
    MAX_ACTIVITIES: wholeNumber(10_000_000, 1_000_000_000),
    MAX_INVITATIONS: wholeNumber(1_000, 10_000),
    MAX_INVITATIONS_FROM_ONE: wholeNumber(3, 100),
    MAX_ENROLMENTS: wholeNumber(10_000, 1_000_000),
    MAX_MATCHING_ITEMS: wholeNumber(100_000, 250_000),
    MAX_PUSHES_PER_DAY: wholeNumber(100, 10_000),
    DELIVERY_OBJECTS: wholeNumber(16, 1_000),
    DELIVERY_LOCATION: z.enum(locations, `is not one of ${locations.join(', ')}`).optional(),
    AUDIT_SIGNING_KEY: signingKey('is not').optional(),
    PARTICIPANT_SIGNING_KEY: listOf(signingKey('has a value that is not'), 'keys', 'MC4CAQ...').default([]),
    PUBLIC_ORIGIN: origins.pipe(z.array(z.string()).length(1, 'is not one origin')).optional(),
    METRICS_TOKEN: z.string().min(16, 'is shorter than 16 characters').optional(),
  })
  .refine((env) => !(env.AUTH_JWKS_URL && env.AUTH_SECRET), {
    path: ['AUTH_SECRET'],
    error: 'contradicts AUTH_JWKS_URL; set one of the two',
    when: always,
  })
  .refine((env) => !env.VAPID_PRIVATE_KEY || env.VAPID_SUBJECT, {
    path: ['VAPID_SUBJECT'],
    error: 'is missing; VAPID_PRIVATE_KEY needs it: set it, for example to mailto:operator@example.org',
    when: always,
  })
  .refine((env) => env.AUTH_JWKS_URL || env.AUTH_SECRET, {
    path: ['AUTH_JWKS_URL'],
    error: 'is missing; set it to the key set of your OpenID Connect provider (or AUTH_SECRET for local use)',
    when: always,
  });

/** Every variable that the service reads, so that no start script needs a list of its own. */
export const settingNames: readonly string[] = Object.keys(environment.shape);

/** The names, without values, of the variables in an environment: for the log of a start. */
export const settingsIn = (env: object): string =>
  settingNames.filter((name) => (env as Record<string, unknown>)[name]).join(' ');

/** The signer of the tokens: a provider's key set, or, for local use only, a shared secret. Never both. */
export interface AuthConfig {
  issuer: string;
  audience: string;
  keys: { jwksUrl: string } | { secret: string };
}

/** Missing or contradictory settings. The message names each variable, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Variables that are refused outside local mode, and why: a public service's shared secret, and published secrets. */
function refusedInPublic(env: Record<string, unknown>, onLoopback: boolean): Map<string, string> {
  const refused = new Map<string, string>();
  if (env.AUTH_SECRET && !onLoopback)
    refused.set(
      'AUTH_SECRET',
      'is for a loopback address; set AUTH_JWKS_URL to the key set of your provider',
    );
  for (const name of settingNames)
    if (typeof env[name] === 'string' && isPublished(env[name]))
      refused.set(
        name,
        'is published with the source of Fieldbell: everybody knows it; make one of your own (docs/operators/deploying.md)',
      );
  return refused;
}

/**
 * Reads the settings from a runtime's environment; an empty variable counts as absent. `FIELDBELL_LOCAL=true` is local mode:
 * servers decide it by themselves (`--local`), a Worker takes it from `.dev.vars`. `onLoopback`: the process listens on a
 * loopback address alone, which a Worker never does.
 * @throws ConfigError that names each variable at fault, without its value
 */
export function readConfig(env: object, { onLoopback = false } = {}) {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const local = present.FIELDBELL_LOCAL === 'true';
  const { AWS_REGION: _, ...needed } = noSns;
  const webOnly = 'VAPID_PRIVATE_KEY' in present && !Object.keys(needed).some((name) => name in present);
  const parsed = environment.safeParse(webOnly ? { ...present, ...noSns } : present);
  const faults = local ? new Map<string, string>() : refusedInPublic(present, onLoopback);
  for (const { path, message } of parsed.error?.issues ?? []) {
    const variable = String(path[0]);
    if (!faults.has(variable)) faults.set(variable, message);
  }
  if (!parsed.success || faults.size > 0)
    throw new ConfigError([...faults].map(([variable, message]) => `${variable} ${message}`).join('\n'));
  const e = parsed.data;
  const publicOrigin = e.PUBLIC_ORIGIN?.[0];
  const auth: AuthConfig = {
    issuer: e.AUTH_ISSUER,
    audience: e.AUTH_AUDIENCE,
    keys: e.AUTH_JWKS_URL ? { jwksUrl: e.AUTH_JWKS_URL } : { secret: e.AUTH_SECRET ?? '' },
  };
  const limits: Limits = {
    studies: e.MAX_STUDIES,
    memberships: e.MAX_MEMBERSHIPS,
    surveys: e.MAX_SURVEYS,
    members: e.MAX_MEMBERS,
    cases: e.MAX_CASES,
    revisions: e.MAX_REVISIONS,
    studyBytes: e.MAX_STUDY_BYTES,
    personBytes: e.MAX_PERSON_BYTES,
    participantsBytes: e.MAX_PARTICIPANTS_BYTES,
    activities: e.MAX_ACTIVITIES,
    invitations: e.MAX_INVITATIONS,
    invitationsFromOne: e.MAX_INVITATIONS_FROM_ONE,
    enrolments: e.MAX_ENROLMENTS,
    matching: e.MAX_MATCHING_ITEMS,
    pushesPerDay: e.MAX_PUSHES_PER_DAY,
  };
  return {
    /** A developer's machine: published secrets are taken, and nobody but this machine is answered. */
    local,
    auth,
    /** Origins whose pages a browser lets call the service; none by default. */
    corsOrigins: e.CORS_ORIGINS,
    /** The sign-in of the study console. */
    console: {
      /** The console's client identifier at the provider; without it nobody can sign in. */
      clientId: e.CONSOLE_CLIENT_ID,
      /** The scopes that the console requests from the provider. */
      scope: e.CONSOLE_SCOPE,
      /** Hosts of the provider, beside its issuer's: the page may call no others. */
      origins: e.CONSOLE_ORIGINS,
    },
    limits,
    /** Cloudflare only. */
    delivery: {
      /** Durable Objects through which deliveries reach the database. 0: each user's object reaches it directly. */
      objects: e.DELIVERY_OBJECTS,
      /** Near the database's primary. Absent: wherever the first delivery runs. */
      location: e.DELIVERY_LOCATION,
    },
    /**
     * Requests in ten seconds; 0 is no limit. Cloudflare counts by its own bindings, whose numbers are in
     * `wrangler.toml`: there, only 0 has an effect.
     */
    rateLimits: {
      user: e.RATE_LIMIT_USER,
      /** For addresses that are refused without a valid token. */
      address: e.RATE_LIMIT_ADDRESS,
      /** For addresses that send wrong codes of participants. */
      code: e.RATE_LIMIT_CODE,
      /** Uses of right codes from one address, in ten minutes. */
      enrol: e.RATE_LIMIT_ENROL,
    },
    /** Signs the heads of activity logs: Ed25519 in PKCS #8, base64 of its DER. */
    auditSigningKey: e.AUDIT_SIGNING_KEY,
    /** Sign the tokens of participants, the first one; all of them verify. Without one nobody enrols by a code. */
    participantSigningKeys: e.PARTICIPANT_SIGNING_KEY,
    /** The origin of links to the participant's page; that of the request, if absent. */
    publicOrigin,
    /** Opens `/metrics`; without it, the route does not exist. */
    metricsToken: e.METRICS_TOKEN,
    /** Absent: no phone but browsers. */
    relay: webOnly
      ? undefined
      : {
          region: e.AWS_REGION,
          accessKeyId: e.AWS_ACCESS_KEY_ID,
          secretAccessKey: e.AWS_SECRET_ACCESS_KEY,
          sessionToken: e.AWS_SESSION_TOKEN,
          platformApplications: e.SNS_PLATFORM_APPLICATIONS,
          endpoint: e.SNS_ENDPOINT,
          /** Topics whose messages are accepted at `POST /relay/events`; without any, the route does not exist. */
          eventTopics: e.SNS_EVENT_TOPICS,
        },
    /** The push services of browsers. Absent: no browsers. */
    webPush: e.VAPID_PRIVATE_KEY
      ? {
          privateKey: e.VAPID_PRIVATE_KEY,
          subject: e.VAPID_SUBJECT ?? '',
          hosts: e.WEB_PUSH_HOSTS,
          /** http to a listed loopback address is allowed. */
          local: !e.AUTH_JWKS_URL,
          /** That of the participant's page, if it is known. */
          origin: publicOrigin,
        }
      : undefined,
  };
}

export type Config = ReturnType<typeof readConfig>;
