import { SNS_DEFAULTS } from '../../../dev/sns/defaults.ts';

/** What the service under test is told, on every runtime alike. */
export const settings = (snsUrl: string) => ({
  AUTH_ISSUER: 'https://conformance.localhost/',
  AUTH_AUDIENCE: 'fieldbell',
  AUTH_SECRET: 'a-secret-of-the-conformance-suite-only',
  METRICS_TOKEN: 'a-token-of-the-conformance-suite-only',
  AWS_REGION: SNS_DEFAULTS.region,
  AWS_ACCESS_KEY_ID: SNS_DEFAULTS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: SNS_DEFAULTS.secretAccessKey,
  SNS_ENDPOINT: `${snsUrl}/`,
  // A test sends more than any client.
  RATE_LIMIT_USER: '0',
  RATE_LIMIT_ADDRESS: '0',
  SNS_PLATFORM_APPLICATIONS: JSON.stringify({
    ios: SNS_DEFAULTS.platformApplications.ios,
    android: SNS_DEFAULTS.platformApplications.android,
  }),
});
