import { browserHosts } from '../../src/config.ts';
import { snsDefaults } from '../fakes/sns/defaults.ts';

/** The ports of `npm start` without `PORT` and `SNS_PORT`. It always listens on the loopback address. */
export const portDefaults = { api: 8787, sns: snsDefaults.port } as const;

const { ios, android } = snsDefaults.platformApplications;

/** The local push service of browsers, and those of real ones. */
export const localPushHosts = (port: number) => [`127.0.0.1:${port}`, ...browserHosts].join();

/** Defaults of local mode, which the environment may override: the same as in `.dev.vars.example`. */
export const settingDefaults = {
  FIELDBELL_LOCAL: 'true',
  AUTH_ISSUER: 'https://fieldbell.localhost/',
  AUTH_AUDIENCE: 'fieldbell',
  AUTH_SECRET: 'a-local-secret-that-protects-nothing-but-demo-data',
  AUDIT_SIGNING_KEY: 'MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC',
  PARTICIPANT_SIGNING_KEY: 'MC4CAQAwBQYDK2VwBCIEIKI2O+tqrJZu/gXEBtcJDEvhzGYHPf2bu6pgUw8rvxu8',
  AWS_REGION: snsDefaults.region,
  AWS_ACCESS_KEY_ID: snsDefaults.accessKeyId,
  AWS_SECRET_ACCESS_KEY: snsDefaults.secretAccessKey,
  SNS_ENDPOINT: `http://127.0.0.1:${snsDefaults.port}/`,
  SNS_PLATFORM_APPLICATIONS: JSON.stringify({ ios, android }),
  SNS_EVENT_TOPICS: `arn:aws:sns:${snsDefaults.region}:${snsDefaults.accountId}:fieldbell-events`,
  VAPID_PRIVATE_KEY: 'YI5HvhCQ4_l2S96ebEEZ2oUtWLE5zKeh442xflnahDI',
  VAPID_SUBJECT: 'mailto:operator@example.org',
  WEB_PUSH_HOSTS: localPushHosts(snsDefaults.port),
} as const;
