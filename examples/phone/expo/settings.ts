/** From the environment of the build: `.env.local`, or the shell. */
export const settings = {
  /** `http://127.0.0.1:8787` is the developer's machine, for an Android phone after `adb reverse tcp:8787 tcp:8787`. */
  url: process.env.EXPO_PUBLIC_FIELDBELL_URL ?? 'http://127.0.0.1:8787',
  /** Of `npm run -s token -- demo-participant`. An app for people signs them in with its OpenID Connect provider instead. */
  token: process.env.EXPO_PUBLIC_FIELDBELL_TOKEN ?? '',
  /** A made-up push token for the local SNS, so that no account at Apple or Google is needed to begin with. */
  pushToken: process.env.EXPO_PUBLIC_PUSH_TOKEN,
  name: process.env.EXPO_PUBLIC_NAME ?? 'Chidi',
};
