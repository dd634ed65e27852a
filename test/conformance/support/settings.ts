import { snsDefaults } from '../../../tools/fakes/sns/defaults.ts';
import { settingDefaults } from '../../../tools/settings/defaults.ts';

/** The settings of the service under test, on every runtime alike. */
export const settings = (snsUrl: string) => ({
  FIELDBELL_LOCAL: 'true',
  AUTH_ISSUER: 'https://conformance.localhost/',
  AUTH_AUDIENCE: 'fieldbell',
  AUTH_SECRET: 'a-secret-of-the-conformance-suite-only',
  METRICS_TOKEN: 'a-token-of-the-conformance-suite-only',
  AWS_REGION: snsDefaults.region,
  AWS_ACCESS_KEY_ID: snsDefaults.accessKeyId,
  AWS_SECRET_ACCESS_KEY: snsDefaults.secretAccessKey,
  SNS_ENDPOINT: `${snsUrl}/`,
  VAPID_PRIVATE_KEY: settingDefaults.VAPID_PRIVATE_KEY,
  VAPID_SUBJECT: settingDefaults.VAPID_SUBJECT,
  WEB_PUSH_HOSTS: snsUrl && new URL(snsUrl).host,
  // A test sends more than any client.
  RATE_LIMIT_USER: '0',
  RATE_LIMIT_ADDRESS: '0',
  RATE_LIMIT_CODE: '0',
  RATE_LIMIT_ENROL: '0',
  SNS_PLATFORM_APPLICATIONS: JSON.stringify({
    ios: snsDefaults.platformApplications.ios,
    android: snsDefaults.platformApplications.android,
  }),
});
