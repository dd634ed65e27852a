import { join, resolve } from 'node:path';
import { ConfigError, readConfig } from '../../config.ts';
import { isLoopback } from '../../local-mode.ts';

type Environment = Record<string, string | undefined>;

/**
 * Reads the settings of the service and of the machine. Local mode is the argument `--local`, which no file of settings can
 * bring along. @throws ConfigError that names each variable at fault
 */
export function readSettings(env: Environment, args: readonly string[]) {
  const faults: string[] = [];
  const gather = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(error.message);
    }
  };
  const local = args.includes('--local');
  const onLoopback = isLoopback(hostOf(env));
  const config = gather(() =>
    readConfig({ ...env, FIELDBELL_LOCAL: local && onLoopback ? 'true' : '' }, { onLoopback }),
  );
  const server = gather(() => readServer(env));
  if (local && !onLoopback) faults.push('HOST is no loopback address, and local mode (--local) has no other');
  if (!config || !server || faults.length > 0) throw new ConfigError(faults.join('\n'));
  return { config, server };
}

/** The address and the file of a process, and the header in which a proxy passes on the caller's address. */
function readServer(env: Environment) {
  const faults: string[] = [];
  const port = env.PORT || '8787';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    faults.push('PORT is not a port number from 0 to 65535 (0 takes any free one)');
  const database = databasePath(env);
  if (!database)
    faults.push('FIELDBELL_DB is missing; set it, for example to /var/lib/fieldbell/fieldbell.db');
  const addressHeader = env.ADDRESS_HEADER || undefined;
  if (addressHeader && !/^[\w-]{1,64}$/.test(addressHeader))
    faults.push('ADDRESS_HEADER is not the name of a header, such as X-Forwarded-For');
  if (faults.length > 0 || !database) throw new ConfigError(faults.join('\n'));
  return { host: hostOf(env), port: Number(port), database, addressHeader };
}

const hostOf = ({ HOST }: Environment) => HOST || '127.0.0.1';

/** The file: `FIELDBELL_DB`, or `fieldbell.db` in the folder `FIELDBELL_STATE`. */
export function databasePath({ FIELDBELL_DB, FIELDBELL_STATE }: Environment): string | undefined {
  if (FIELDBELL_DB) return resolve(FIELDBELL_DB);
  return FIELDBELL_STATE ? resolve(join(FIELDBELL_STATE, 'fieldbell.db')) : undefined;
}
