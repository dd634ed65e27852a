import { type Client, ProblemError } from '@fieldbell/client';
import type { Memory, Occurrence } from './memory.ts';
import type { Copy, NotificationSystem } from './system.ts';

/** A copy waits this long after `dueAt`, so that the push comes first, and its arrival can cancel the copy. */
export const copyDelayMs = 2 * 60_000;

interface Parts {
  client: Client;
  system: NotificationSystem;
  memory: Memory;
  now: () => number;
}

/**
 * Reads the agenda, and makes the phone's copies follow: each occurrence once, under the identifier that its push has
 * too. Without a network the copies stay as they are.
 */
export async function syncCopies({ client, system, memory, now }: Parts): Promise<void> {
  await readAgenda(client, memory, now());
  const { occurrences, arrived, later } = await memory.read();
  const toCome = occurrences.filter(({ notification }) => !arrived.includes(notification)).map(copyOf);
  const wanted = new Map(
    [...toCome, ...later]
      .filter((copy): copy is Copy => copy !== null && copy.at > now())
      .map((copy) => [copy.notification, copy]),
  );
  for (const copy of await system.copies()) {
    const same = wanted.get(copy.notification);
    if (same && same.at === copy.at && same.title === copy.title && same.body === copy.body)
      wanted.delete(copy.notification);
    else await system.cancel(copy.notification);
  }
  for (const copy of wanted.values()) await system.schedule(copy);
}

async function readAgenda({ api }: Client, memory: Memory, now: number) {
  const { device, etag } = await memory.read();
  const query = device === null ? {} : { device };
  const headers = etag === null ? {} : { 'if-none-match': etag };
  const read = (of: { device?: string }) =>
    api.user[':id'].agenda.$get({ param: { id: 'me' }, query: of }, { headers });
  const answer = await read(query).catch((error: unknown) => {
    // Another phone has taken the place of this one: texts are in the studies' own language until the next start.
    if (error instanceof ProblemError && error.status === 404) return read({});
    throw error;
  });
  if (!answer.ok) return; // 304
  const { occurrences } = await answer.json();
  await memory.update(({ known }) => ({
    etag: answer.headers.get('etag'),
    occurrences,
    known: Object.fromEntries(
      [
        ...Object.entries(known),
        ...occurrences.map(({ notification, ...rest }) => [notification, rest] as const),
      ]
        .filter(([, { expiresAt }]) => Date.parse(expiresAt) > now)
        .map(([notification, { survey, expiresAt }]) => [notification, { survey, expiresAt }]),
    ),
  }));
}

/** Null if the occurrence expires before its copy would be shown. */
function copyOf({ notification, survey, investigation, dueAt, expiresAt, subject, body }: Occurrence) {
  const at = Date.parse(dueAt) + copyDelayMs;
  const copy: Copy = { notification, survey, investigation, title: subject, body, at };
  return at < Date.parse(expiresAt) ? copy : null;
}
