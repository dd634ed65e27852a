import { existsSync } from 'node:fs';
import type { Config } from '../../src/config.ts';
import { d1File } from '../database/d1-file.ts';
import { type Demo, seed } from '../demo/seed.ts';
import { snsDefaults } from '../fakes/sns/defaults.ts';
import { type LocalSns, startSns } from '../fakes/sns/server.ts';
import { readStartOptions, type StartOptions } from '../settings/settings.ts';
import { StartError } from '../settings/start-error.ts';
import { killGroups } from '../worker/process-group.ts';
import { startWorker } from '../worker/worker.ts';
import { makeDemo, migrateFile } from './database.ts';
import { createFindOwners } from './phone-owners.ts';
import { checkPort } from './ports.ts';
import { watchSignals } from './signals.ts';
import { takeStateFolder } from './state-folder.ts';
import { describeAddresses, describeDemo, localSns } from './summary.ts';

/** The steps that undo the start, to be taken last first. */
type Undo = (() => unknown)[];

/** The exit code after a second Ctrl-C: 128 plus SIGINT. */
const forcedExit = 130;

/** Resolves with the exit code: 0 after Ctrl-C or SIGTERM, 1 when the start failed. */
async function main(): Promise<number> {
  // No child process stays, whatever goes wrong.
  process.on('exit', killGroups);
  const stop = watchSignals(() => process.exit(forcedExit));
  const undo: Undo = [];
  try {
    await run(readStartOptions(process.env), stop, undo);
    return 0;
  } catch (error) {
    if (stop.aborted) return 0;
    if (!(error instanceof StartError)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** Starts everything and runs until `stop`. @throws StartError, or the reason of `stop` */
async function run(options: StartOptions, stop: AbortSignal, undo: Undo): Promise<void> {
  const { port, snsPort, stateFolder, settings, config, foreignSns, logAll } = options;
  await checkPort('PORT', port);
  if (!foreignSns) await checkPort('SNS_PORT', snsPort);
  const state = await takeStateFolder(stateFolder, settings);
  undo.push(state.release);

  console.log('Starting Fieldbell: database, local SNS, Worker, demo study ...');
  const database = d1File(stateFolder);
  const sns = foreignSns ? undefined : await startLocalSns(snsPort, config, database, state.snsFile);
  if (sns) undo.push(sns.close);
  // Of a new database. A foreign SNS gets no phones of made-up people.
  const hasWeeks = sns && options.demo && 'secret' in config.auth.keys && !existsSync(database);
  if (!hasWeeks) await migrateFile(database, stateFolder);
  stop.throwIfAborted();

  // Beside the making of the database, for which the Worker waits.
  const { settingsFile } = state;
  const [worker] = await Promise.all([
    startWorker({ port, stateFolder, settingsFile, logAll }, stop),
    hasWeeks && makeDemo(database, { stateFolder, settings }, stop),
  ]);
  undo.push(worker.end);

  const demo = await trySeed(worker.url, config, stop);
  console.log(describeAddresses(options));
  if (demo) {
    const header = await state.writeHeader(demo.ownerToken);
    console.log(describeDemo(worker.url, demo, header, sns && localSns(options)));
  }
  await worker.stopped;
}

async function startLocalSns(
  port: number,
  { relay }: Config,
  database: string,
  stateFile: string,
): Promise<LocalSns> {
  const findOwners = createFindOwners(() => database);
  try {
    return await startSns({ ...snsDefaults, ...relay, port, stateFile, findOwners });
  } catch (error) {
    throw new StartError(`The local SNS (SNS_PORT) cannot start: ${(error as Error).message}`);
  }
}

/** The service is useful without the demo study too. */
async function trySeed(url: string, { auth, relay }: Config, signal: AbortSignal): Promise<Demo | undefined> {
  if (!('secret' in auth.keys)) {
    console.log('No demo study: AUTH_JWKS_URL is set, so tokens come from that provider.');
    return;
  }
  const seedOnce = () =>
    seed({ url, auth, platforms: Object.keys(relay?.platformApplications ?? {}), signal });
  try {
    // After a lost connection, a second run adds only what is missing.
    return await seedOnce().catch((error) => {
      if (error instanceof TypeError) return seedOnce();
      throw error;
    });
  } catch (error) {
    signal.throwIfAborted();
    console.error(`The demo study is not complete: ${(error as Error).message}`);
  }
}

const code = await main();
if (code === 0) console.log('Fieldbell stopped.');
process.exit(code);
