import { type Client, ProblemError } from '@fieldbell/client';
import type { Memory } from './memory.ts';
import type { NotificationSystem } from './system.ts';

/** The person and their phone, as the service has to know them. */
export interface About {
  name: string;
  /** IANA name. Reminders follow the zone of the phone. */
  timeZone: string;
  /** BCP 47. Texts of reminders are in it, if the study has translated them. */
  language: string;
}

/** Signs up and registers the phone; at every start, since repeating both repairs them. */
export async function register(
  { api }: Client,
  { system, memory }: { system: NotificationSystem; memory: Memory },
  { name, timeZone, language }: About,
): Promise<{ device: string | null }> {
  await api.user.$post({ json: { name, timeZone } });
  await system.prepare();
  const phone = (await system.permitted()) ? await system.pushToken() : null;
  if (phone === null) {
    await forgetPhone(api, memory);
    return { device: null };
  }
  const json = { ...phone, timeZone, language };
  const answer = await api.user[':id'].device.$post({ param: { id: 'me' }, json });
  const { identifier } = await answer.json();
  await memory.update(() => ({ device: identifier }));
  return { device: identifier };
}

/** A phone that may show nothing is no phone: without one the study sees that this person cannot be reached. */
async function forgetPhone(api: Client['api'], memory: Memory) {
  const { device } = await memory.read();
  if (device === null) return;
  await api.device[':id'].$delete({ param: { id: device } }).catch((error: unknown) => {
    if (!(error instanceof ProblemError && error.status === 404)) throw error;
  });
  await memory.update(() => ({ device: null, etag: null }));
}
