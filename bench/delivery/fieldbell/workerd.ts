import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signToken } from '../../../tools/tokens/sign.ts';
import { auth, startFieldbell } from '../../support/fieldbell.ts';
import type { Child } from '../../support/processes.ts';
import { insertRows } from '../../support/sqlite.ts';
import { recurrenceOf, storedReminders, studyRows, subjects } from '../../support/study-rows.ts';
import { localTime, study, timeZone } from '../people.ts';
import type { RunningSystem, Setup, System } from '../system.ts';
import { openRecords } from './records.ts';

const minuteMs = 60_000;
/** Time for planning, which arms each person's Durable Object. */
const planningMs = (size: number) => 12_000 + 15 * size;
const pollMs = 250;

/** The Worker in Cloudflare's own runtime, whose clock cannot be moved: people are due at a full minute. */
export const workerd: System = {
  name: 'workerd',
  what: 'Fieldbell on workerd (miniflare), D1 and Durable Objects',
  missing: () => null,
  maxRuns: 1,
  timeoutMs: 300_000,
  open,
};

async function open({ folder, people, snsUrl, trust }: Setup): Promise<RunningSystem> {
  // The first start creates the database, which is seeded before the second.
  await (await startFieldbell('workerd', { folder, snsUrl })).stop();
  const file = await databaseIn(folder);
  insertRows(file, studyRows({ study: 0, members: people.length, responses: 0, now: Date.now() }));

  const service = await startFieldbell('workerd', {
    folder,
    snsUrl,
    env: { ...trust, OBJECTS: 'in-memory' },
  });
  const due = Math.ceil((Date.now() + planningMs(people.length)) / minuteMs) * minuteMs;
  const records = openRecords(file, { today: localTime(due).on, due });
  const close = async () => {
    records.close();
    await service.stop();
  };
  try {
    await setReminders(`${service.url}/survey/${study.survey}`, recurrenceOf({ due, zone: timeZone }));
    await waitUntil(() => records.countPlanned() === people.length, service, due);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    due,
    pids: [service.pid],
    ended: service.ended,
    settledAt: async () => (records.hasPending() ? null : Date.now()),
    records: async () => records.count(),
    close,
  };
}

/** Miniflare's D1: one file beside that of its metadata. */
async function databaseIn(folder: string): Promise<string> {
  const names = await readdir(join(folder, 'state'), { recursive: true });
  const file = names.find((name) => /(^|\/)d1\/.*\.sqlite$/.test(name) && !name.endsWith('metadata.sqlite'));
  if (!file) throw new Error(`no database among ${names.join(', ')}`);
  return join(folder, 'state', file);
}

/** The owner sets the reminders, which plans for everyone and arms every alarm. */
async function setReminders(survey: string, recurrence: string) {
  const token = await signToken(auth, { subject: subjects.owner, email: 'ada@example.org', expiresIn: 3600 });
  const answer = await fetch(survey, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ reminders: storedReminders(recurrence) }),
  });
  if (!answer.ok) throw new Error(`PATCH: ${answer.status} ${await answer.text()}`);
}

async function waitUntil(allPlanned: () => boolean, service: Child, due: number) {
  let ended = false;
  service.ended.then(() => {
    ended = true;
  });
  while (!allPlanned()) {
    if (ended) {
      // The runtime exits without a message; its client logs how the connection broke.
      const [, cause = 'no message'] = (await service.find(/\[cause\]: ([^\n{]*)/)) ?? [];
      throw new Error(`the runtime crashed while alarms were armed: ${cause.trim()}`);
    }
    if (Date.now() > due) throw new Error('people were due before all alarms were armed');
    await sleep(pollMs);
  }
}
