import { SNS_DEFAULTS } from './defaults.ts';
import { type SnsOptions, startSns } from './server.ts';

const { env } = process;

/** Runs the local SNS on its own; `npm start` starts one inside itself instead. */
async function main(): Promise<void> {
  const sns = await startSns(readOptions());
  console.log(`Local SNS listens at ${sns.url}. Open it in a browser to see the phones.`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void sns.close().then(() => process.exit(0)));
  }
}

function readOptions(): SnsOptions {
  const { SNS_PORT: port = String(SNS_DEFAULTS.port), SNS_PLATFORM_APPLICATIONS: applications } = env;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Error(`SNS_PORT must be a port from 0 to 65535, not '${port}'.`);
  }
  return {
    port: Number(port),
    accessKeyId: env.AWS_ACCESS_KEY_ID ?? SNS_DEFAULTS.accessKeyId,
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? SNS_DEFAULTS.secretAccessKey,
    region: env.AWS_REGION ?? SNS_DEFAULTS.region,
    platformApplications: applications ? JSON.parse(applications) : SNS_DEFAULTS.platformApplications,
    ...(env.SNS_STATE_FILE && { stateFile: env.SNS_STATE_FILE }),
  };
}

main().catch((error: NodeJS.ErrnoException) => {
  const inUse = error.code === 'EADDRINUSE';
  console.error(inUse ? 'The port is in use: set SNS_PORT to another one.' : `Local SNS: ${error.message}`);
  process.exitCode = 1;
});
