import { join, resolve } from 'node:path';
import { type Config, ConfigError, readConfig } from '../src/config.ts';
import { PORT_DEFAULTS, SETTING_DEFAULTS } from './defaults.ts';
import { StartError } from './start-error.ts';

/** Variables of the service, as they stand in the environment or in `.dev.vars`. */
export type Settings = Record<string, string>;

type Environment = Readonly<Record<string, string | undefined>>;

const NAMES = [
  ...Object.keys(SETTING_DEFAULTS),
  'AUTH_JWKS_URL',
  'AWS_SESSION_TOKEN',
  'CORS_ORIGINS',
  'METRICS_TOKEN',
];

/** The folder of `wrangler.toml`. */
export const projectFolder = resolve(import.meta.dirname, '..');

export interface StartOptions {
  port: number;
  snsPort: number;
  stateFolder: string;
  settings: Settings;
  config: Config;
  /** Whether the relay is one that the environment names, so that ours is not needed. */
  foreignSns: boolean;
  /** Print everything that the worker and wrangler say. */
  logAll: boolean;
}

/** What `npm start` is to do. @throws StartError with one line per variable at fault */
export function readStartOptions(env: Environment): StartOptions {
  const port = readPort('PORT', env.PORT, PORT_DEFAULTS.api);
  const snsPort = readPort('SNS_PORT', env.SNS_PORT, PORT_DEFAULTS.sns);
  const foreignSns = Boolean(env.SNS_ENDPOINT);
  if (port === snsPort && !foreignSns)
    throw new StartError(`PORT and SNS_PORT are both ${port}: set one of them to another port`);
  const settings = readSettings(env);
  if (!foreignSns) settings.SNS_ENDPOINT = `http://127.0.0.1:${snsPort}/`;
  return {
    port,
    snsPort,
    stateFolder: env.FIELDBELL_STATE ? resolve(env.FIELDBELL_STATE) : join(projectFolder, '.wrangler/state'),
    settings,
    config: checkSettings(settings),
    foreignSns,
    logAll: env.FIELDBELL_LOG === 'all',
  };
}

/** The service's variables: the environment's where it has them, the local defaults elsewhere. */
export function readSettings(env: Environment): Settings {
  const settings: Settings = { ...SETTING_DEFAULTS };
  // A provider's key set takes the place of the local secret: the two contradict each other.
  if (env.AUTH_JWKS_URL) delete settings.AUTH_SECRET;
  for (const name of NAMES) {
    const value = env[name];
    if (value !== undefined) settings[name] = value;
  }
  return settings;
}

/** Reads settings as the service will. @throws StartError with one line per variable at fault */
export function checkSettings(settings: Settings): Config {
  try {
    return readConfig(settings);
  } catch (error) {
    throw error instanceof ConfigError ? new StartError(error.message) : error;
  }
}

function readPort(name: string, text: string | undefined, fallback: number): number {
  if (!text) return fallback;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new StartError(`${name} is not a port from 1 to 65535: '${text}'`);
  return port;
}
