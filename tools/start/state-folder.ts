import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../settings/settings.ts';
import { StartError } from '../settings/start-error.ts';

/** The files of one run in its state folder, besides the databases. */
export interface StateFolder {
  /** The worker's variables, readable only by the owner. A command line would show them to everyone. */
  settingsFile: string;
  /** Endpoints and inbox of the local SNS. */
  snsFile: string;
  /** An `authorization` header for curl's `-H @file`. */
  writeHeader(token: string): Promise<string>;
  /** Removes files with secrets and the lock, so that the next run can start. */
  release(): Promise<void>;
}

/** Takes the folder for this run. @throws StartError when it cannot be written, or another run has it */
export async function takeStateFolder(folder: string, settings: Settings): Promise<StateFolder> {
  const lockFile = join(folder, 'running.pid');
  const settingsFile = join(folder, 'settings.env');
  const headerFile = join(folder, 'owner.header');
  try {
    await mkdir(folder, { recursive: true });
    await refuseSecondRun(folder, lockFile);
    await writeFile(lockFile, `${process.pid}\n`);
    await writePrivately(settingsFile, formatEnvFile(settings));
  } catch (error) {
    if (error instanceof StartError) throw error;
    const { message } = error as Error;
    throw new StartError(`The state folder ${folder} cannot be used (FIELDBELL_STATE): ${message}`);
  }
  return {
    settingsFile,
    snsFile: join(folder, 'sns.json'),
    writeHeader: async (token) => {
      await writePrivately(headerFile, `authorization: Bearer ${token}\n`);
      return headerFile;
    },
    release: async () => {
      for (const file of [settingsFile, headerFile, lockFile]) await rm(file, { force: true });
    },
  };
}

/**
 * Formats variables for dotenv. It expands `$NAME` within every kind of quotes and has no escape for the quote itself,
 * so a value is put in quotes of a kind that it does not contain.
 */
export function formatEnvFile(settings: Settings): string {
  const lines = Object.entries(settings).map(([name, value]) => {
    // In double quotes `\n` would become a line break.
    const quote = ["'", '`', '"'].find(
      (mark) => !value.includes(mark) && !(mark === '"' && value.includes('\\')),
    );
    if (quote === undefined)
      throw new StartError(`${name} contains every kind of quotes, which local mode cannot pass on`);
    return `${name}=${quote}${value.replaceAll('$', '\\$')}${quote}\n`;
  });
  return lines.join('');
}

async function writePrivately(file: string, text: string) {
  // The mode applies only to a new file.
  await rm(file, { force: true });
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
}

/** Two runtimes over one database would each deliver the same reminders. */
async function refuseSecondRun(folder: string, lockFile: string) {
  const pid = Number(await readFile(lockFile, 'utf8').catch(() => ''));
  if (pid > 0 && pid !== process.pid && (await isStart(pid)))
    throw new StartError(
      `The state folder ${folder} is in use by process ${pid}: set FIELDBELL_STATE to another one`,
    );
}

/** Whether the process lives and, where /proc tells, is not another process with a reused id. */
async function isStart(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => 'start/main.ts');
  return command.includes('start/main.ts');
}
