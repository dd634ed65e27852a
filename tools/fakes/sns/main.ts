import { snsDefaults } from './defaults.ts';
import { startSns } from './server.ts';

/* `npm run sns`: the local SNS on its own. `npm start` starts one itself. */

const { env } = process;

async function main(): Promise<void> {
  const port = Number(env.SNS_PORT ?? snsDefaults.port);
  if (!(port >= 0 && port <= 65_535))
    throw new Error(`SNS_PORT must be a port from 0 to 65535, not '${env.SNS_PORT}'.`);
  const applications = env.SNS_PLATFORM_APPLICATIONS;
  const sns = await startSns({
    port,
    accessKeyId: env.AWS_ACCESS_KEY_ID ?? snsDefaults.accessKeyId,
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? snsDefaults.secretAccessKey,
    region: env.AWS_REGION ?? snsDefaults.region,
    platformApplications: applications ? JSON.parse(applications) : snsDefaults.platformApplications,
    ...(env.SNS_STATE_FILE && { stateFile: env.SNS_STATE_FILE }),
  });
  console.log(`The local SNS listens at ${sns.url}. Open it in a browser to see the phones.`);
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => sns.close().then(() => process.exit(0)));
}

main().catch((error: NodeJS.ErrnoException) => {
  const inUse = error.code === 'EADDRINUSE';
  console.error(inUse ? 'The port is in use: set SNS_PORT to another one.' : `Local SNS: ${error.message}`);
  process.exitCode = 1;
});
