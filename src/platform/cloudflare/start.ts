import { type Config, ConfigError, settingsIn } from '../../config.ts';
import { isLoopback } from '../../local-mode.ts';
import type { Services } from '../../services.ts';

/** The numbers are in `wrangler.toml`: from the environment Cloudflare takes only 0, which disables the limits. */
const rateLimits = ['RATE_LIMIT_USER', 'RATE_LIMIT_ADDRESS', 'RATE_LIMIT_CODE', 'RATE_LIMIT_ENROL'] as const;

/** Logs that an isolate has begun: its settings, and those without effect. */
export function logStart({ log }: Pick<Services, 'log'>, env: object): void {
  log({ event: 'start', runtime: 'workerd', settings: settingsIn(env) });
  const variables = env as Record<string, unknown>;
  const ignored = rateLimits.filter((name) => variables[name] && Number(variables[name]) !== 0);
  if (ignored.length > 0)
    log({
      event: 'settings.ignored',
      settings: ignored.join(' '),
      reason: 'On Cloudflare the rate limits are the numbers in wrangler.toml; a variable can only be 0.',
    });
}

/**
 * Local mode answers at the names of this machine alone. No request that Cloudflare passes on has one, so that a deployed
 * Worker to which somebody copied `.dev.vars` answers nobody. @throws ConfigError
 */
export function checkReach({ local }: Pick<Config, 'local'>, url: string): void {
  if (!local) return;
  const { hostname } = new URL(url);
  // Names below `localhost` are the machine's own too (RFC 6761, 6.3).
  if (!isLoopback(hostname.replace(/^.*\.localhost$/, 'localhost')))
    throw new ConfigError(
      `FIELDBELL_LOCAL is for localhost alone, and this is ${hostname}: remove it (or run wrangler dev with --host localhost)`,
    );
}
