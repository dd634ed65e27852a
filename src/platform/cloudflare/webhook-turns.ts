import { DurableObject } from 'cloudflare:workers';
import { attempt } from '../../attempt.ts';
import { deliverWebhooks } from '../../webhooks/delivery.ts';
import type { Bindings } from './bindings.ts';
import { servicesOf } from './services.ts';

/**
 * One object per webhook that needs more calls than a run may make: an alarm has an invocation, and connections, of its
 * own, so a slow receiver holds up nothing else. A run that is lost comes again with the sweep.
 */
export class WebhookTurns extends DurableObject<Bindings> {
  async goOn(webhook: string): Promise<void> {
    if ((await this.ctx.storage.get('webhook')) !== webhook) await this.ctx.storage.put('webhook', webhook);
    await this.ctx.storage.setAlarm(Date.now());
  }

  override async alarm(): Promise<void> {
    const services = servicesOf(this.env);
    const webhook = await this.ctx.storage.get<string>('webhook');
    const webhooks = services.webhooks && {
      ...services.webhooks,
      goOn: (id: string) => this.goOn(id),
    };
    if (webhook && webhooks)
      await attempt(services, 'webhooks.failed', () => deliverWebhooks({ ...services, webhooks }, webhook));
  }
}
