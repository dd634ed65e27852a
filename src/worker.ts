import { createApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';
import { reconcile } from './jobs/reconcile.ts';
import { replanChunk } from './jobs/replan.ts';
import { sweep } from './jobs/sweep.ts';
import { type Bindings, createServices } from './runtime/cloudflare.ts';
import type { ReplanChunk } from './services.ts';

export { UserAlarm } from './runtime/user-alarm.ts';

/** Built once per isolate, at the first event: only then are the settings known. */
let built: ReturnType<typeof build> | undefined;

function build(env: Bindings) {
  const services = createServices(env);
  return { services, app: createApp(services, readConfig(env)) };
}

function open(env: Bindings) {
  try {
    built ??= build(env);
    return built;
  } catch (error) {
    if (error instanceof ConfigError) console.error(`Fieldbell cannot start:\n${error.message}`);
    throw error;
  }
}

const hour = 60;

export default {
  fetch: (request, env, ctx) => open(env).app.fetch(request, env, ctx),

  async scheduled(controller, env) {
    const { services } = open(env);
    await sweep(services);
    if (Math.floor(controller.scheduledTime / 60_000) % hour === 0) await reconcile(services);
  },

  async queue(batch, env) {
    const { services } = open(env);
    for (const message of batch.messages) {
      await replanChunk(services, message.body);
      message.ack();
    }
  },
} satisfies ExportedHandler<Bindings, ReplanChunk>;
