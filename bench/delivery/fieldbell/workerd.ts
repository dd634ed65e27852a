import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { settings } from '../../../test/conformance/support/settings.ts';
import { minuteAhead } from '../../../test/conformance/support/times.ts';
import { signToken } from '../../../test/support/people.ts';
import { localTime, newStudy } from '../people.ts';
import { bin, type Child, start } from '../processes.ts';
import type { Contender, Place, System } from '../system.ts';
import { openBooks } from './books.ts';
import { ownerSubject, remindersOf, seed } from './seed.ts';

const main = 'test/conformance/support/workerd-main.ts';

/** So long planning takes at most: each person's Durable Object is armed through the queue. */
const leadMs = (size: number) => 12_000 + 15 * size;
const lookEveryMs = 250;

/** The Worker in Cloudflare's own runtime, whose clock cannot be moved: people are due at a minute of the day. */
export const workerd: System = {
  name: 'workerd',
  what: 'Fieldbell on workerd (miniflare), D1 and Durable Objects',
  missing: () => null,
  // At 10,000 the local runtime ends, without a word, while their objects are made; three times of three.
  mostPeople: 1_000,
  patienceMs: 300_000,
  open,
};

async function open({ folder, people, snsUrl }: Place): Promise<Contender> {
  const lines = Object.entries(settings(snsUrl)).map(([name, value]) => `${name}='${value}'\n`);
  await writeFile(join(folder, 'settings.env'), lines.join(''));
  // The first start makes the database; what is written into it between the two is as if it had always been there.
  await (await launch(folder)).service.stop();
  const file = await databaseIn(folder);
  const study = newStudy();
  seed(file, { people, study, today: localTime(Date.now()).on, pending: null });

  const { service, url } = await launch(folder);
  const due = minuteAhead(leadMs(people.length));
  const { on, hour, minute } = localTime(due);
  const books = openBooks(file, { study, today: on, due });
  const stop = async () => {
    books.close();
    await service.stop();
  };
  try {
    await remind(`${url}/survey/${study.survey}`, `${minute} ${hour} * * *`);
    await planned(service, () => books.planned() === people.length, due);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    due,
    pids: [service.pid],
    ended: service.ended,
    settledAt: async () => (books.waits() ? null : Date.now()),
    books: async () => books.books(),
    close: stop,
  };
}

async function launch(folder: string): Promise<{ service: Child; url: string }> {
  const log = join(folder, 'service.log');
  const env = { WRANGLER_SEND_METRICS: 'false', CI: 'true' };
  await writeFile(log, '');
  const service = start(bin('node'), [main, folder], { log, env });
  const [, url = ''] = await service.line(/"event":"start".*"url":"([^"]+)"/);
  return { service, url };
}

/** Where miniflare keeps D1: one file beside that of its metadata. */
async function databaseIn(folder: string): Promise<string> {
  const names = await readdir(join(folder, 'state'), { recursive: true });
  const file = names.find((name) => /(^|\/)d1\/.*\.sqlite$/.test(name) && !name.endsWith('metadata.sqlite'));
  if (!file) throw new Error(`no database among ${names.join(', ')}`);
  return join(folder, 'state', file);
}

const { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience, AUTH_SECRET: secret } = settings('');
const auth = { issuer, audience, secret };

/** The owner sets the reminders, which has everybody planned and every alarm armed. */
async function remind(survey: string, recurrence: string) {
  const bearer = await signToken(auth, ownerSubject, { email: 'ada@example.org' });
  const answer = await fetch(survey, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify({ reminders: remindersOf(recurrence) }),
  });
  if (!answer.ok) throw new Error(`PATCH: ${answer.status} ${await answer.text()}`);
}

async function planned(service: Child, all: () => boolean, due: number) {
  let ended = false;
  service.ended.then(() => {
    ended = true;
  });
  while (!all()) {
    if (ended) {
      // Its own end leaves no word; whoever spoke to it says how it met it.
      const [, met = 'no word'] = (await service.look(/\[cause\]: ([^\n{]*)/)) ?? [];
      throw new Error(`the runtime crashed while alarms were armed: ${met.trim()}`);
    }
    if (Date.now() > due) throw new Error('everybody was due before all alarms were armed');
    await sleep(lookEveryMs);
  }
}
