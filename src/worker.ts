import { createApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';
import { Problem } from './errors.ts';
import { problemResponse } from './http/problems.ts';
import { tick } from './operations/jobs.ts';
import type { Bindings } from './platform/cloudflare/bindings.ts';
import { servicesOf } from './platform/cloudflare/services.ts';
import { checkReach, logStart } from './platform/cloudflare/start.ts';

export { DeliveryObject } from './platform/cloudflare/delivery-object.ts';
export { UserAlarm } from './platform/cloudflare/user-alarm.ts';
export { WebhookTurns } from './platform/cloudflare/webhook-turns.ts';

/** Built once per isolate, at the first event: only then are the settings known. */
let built: ReturnType<typeof build> | undefined;

function build(env: Bindings) {
  const services = servicesOf(env);
  logStart(services, env);
  const config = readConfig(env);
  return { services, config, app: createApp(services, config) };
}

/** `url`: that of a request. @throws ConfigError, after logging the variables at fault */
function open(env: Bindings, url?: string) {
  try {
    built ??= build(env);
    if (url !== undefined) checkReach(built.config, url);
    return built;
  } catch (error) {
    if (error instanceof ConfigError) console.error(`Fieldbell cannot start:\n${error.message}`);
    throw error;
  }
}

export default {
  async fetch(request, env, ctx) {
    try {
      const { app, services, config } = open(env, request.url);
      const address = request.headers.get('cf-connecting-ip') ?? undefined;
      const response = await app.fetch(request, { address }, ctx);
      if (config.metricsToken !== undefined) ctx.waitUntil(services.meter.flush());
      return response;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return problemResponse(new Problem('internal.error', 'The service is not configured: see its log.'));
    }
  },

  async scheduled(_controller, env) {
    const { services } = open(env);
    await tick(services);
  },
} satisfies ExportedHandler<Bindings>;
