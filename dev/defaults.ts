import { SNS_DEFAULTS } from './sns/defaults.ts';

/** Where `npm start` listens unless `PORT` and `SNS_PORT` say otherwise. Only ever on the loopback address. */
export const PORT_DEFAULTS = { api: 8787, sns: SNS_DEFAULTS.port } as const;

const { ios, android } = SNS_DEFAULTS.platformApplications;

/** What local mode assumes unless the environment says otherwise; the same as `.dev.vars.example`. */
export const SETTING_DEFAULTS = {
  AUTH_ISSUER: 'https://fieldbell.localhost/',
  AUTH_AUDIENCE: 'fieldbell',
  AUTH_SECRET: 'a-local-secret-that-protects-nothing-but-demo-data',
  AWS_REGION: SNS_DEFAULTS.region,
  AWS_ACCESS_KEY_ID: SNS_DEFAULTS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: SNS_DEFAULTS.secretAccessKey,
  SNS_ENDPOINT: `http://127.0.0.1:${SNS_DEFAULTS.port}/`,
  SNS_PLATFORM_APPLICATIONS: JSON.stringify({ ios, android }),
  SNS_EVENT_TOPICS: `arn:aws:sns:${SNS_DEFAULTS.region}:${SNS_DEFAULTS.accountId}:fieldbell-events`,
} as const;
