/** Defaults of local mode, which the environment may override. The key pair opens nothing but this server. */
export const snsDefaults = {
  port: 8788,
  region: 'eu-central-1',
  accountId: '000000000000',
  accessKeyId: 'local',
  secretAccessKey: 'local-secret',
  platformApplications: {
    ios: 'arn:aws:sns:eu-central-1:000000000000:app/APNS/fieldbell-ios',
    android: 'arn:aws:sns:eu-central-1:000000000000:app/GCM/fieldbell-android',
    'ios-sandbox': 'arn:aws:sns:eu-central-1:000000000000:app/APNS_SANDBOX/fieldbell-ios-sandbox',
  },
} as const;
