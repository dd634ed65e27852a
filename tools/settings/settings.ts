import { join, resolve } from 'node:path';
import { type Config, ConfigError, readConfig, settingNames } from '../../src/config.ts';
import { localPushHosts, portDefaults, settingDefaults } from './defaults.ts';
import { StartError } from './start-error.ts';

/** Variables of the service, as in the environment or in `.dev.vars`. */
export type Settings = Record<string, string>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of `wrangler.toml`. */
export const projectFolder = resolve(import.meta.dirname, '../..');

export interface StartOptions {
  port: number;
  snsPort: number;
  stateFolder: string;
  settings: Settings;
  config: Config;
  /** The environment names another SNS, so the local one is not started. */
  foreignSns: boolean;
  /** Make studies with a past, in a new database. */
  demo: boolean;
  /** Print all output of the worker and of wrangler. */
  logAll: boolean;
}

/** The options of `npm start`. @throws StartError with one line per variable at fault */
export function readStartOptions(env: Environment): StartOptions {
  const port = readPort('PORT', env.PORT, portDefaults.api);
  const snsPort = readPort('SNS_PORT', env.SNS_PORT, portDefaults.sns);
  const foreignSns = Boolean(env.SNS_ENDPOINT);
  if (port === snsPort && !foreignSns)
    throw new StartError(`PORT and SNS_PORT are both ${port}: set one of them to another port`);
  const settings = readSettings(env);
  if (!foreignSns) settings.SNS_ENDPOINT = `http://127.0.0.1:${snsPort}/`;
  if (!env.WEB_PUSH_HOSTS) settings.WEB_PUSH_HOSTS = localPushHosts(snsPort);
  return {
    port,
    snsPort,
    stateFolder: env.FIELDBELL_STATE ? resolve(env.FIELDBELL_STATE) : join(projectFolder, '.wrangler/state'),
    settings,
    config: checkSettings(settings),
    foreignSns,
    demo: env.FIELDBELL_DEMO !== 'off',
    logAll: env.FIELDBELL_LOG === 'all',
  };
}

/** The service's variables: the environment's, with the local defaults for the rest. */
export function readSettings(env: Environment): Settings {
  const settings: Settings = { ...settingDefaults };
  // The service accepts a provider's key set or a local secret, not both.
  if (env.AUTH_JWKS_URL) delete settings.AUTH_SECRET;
  for (const name of settingNames) {
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
