import { dropReplan, keepDeadLetter, saveProgress, selectMemberPage } from '../model/reminders/outbox.ts';
import { replanUsers, type Wake } from '../model/reminders/plan.ts';
import type { ReplanChunk, ReplanJob, Services } from '../services.ts';

/** A chunk fits one queue message and one batch. */
export const chunkSize = 100;

/** Carries out an outbox row: one user at once, a study by handing over its members in chunks. */
export const replan = (services: Services, job: ReplanJob): Promise<void> =>
  job.user === null ? replanStudy(services, job) : replanUser(services, job, job.user);

async function replanUser(services: Services, job: ReplanJob, user: string) {
  await armAll(services, await replanUsers(services.db, [user], services.now(), job.id));
}

/** The row goes last: whoever resumes it after a crash begins after the last chunk handed over. */
async function replanStudy(services: Services, job: ReplanJob) {
  let { after } = job;
  for (;;) {
    const users = await selectMemberPage(services.db, job.investigation ?? '', after, chunkSize);
    if (users.length > 0) await services.queue.send({ users });
    after = users.at(-1) ?? after;
    if (users.length < chunkSize) return dropReplan(services.db, job.id);
    await saveProgress(services.db, job.id, after, services.now());
  }
}

/** Plans the users of a chunk in one read and one write, and arms their alarms. */
export async function replanChunk(services: Services, chunk: ReplanChunk): Promise<void> {
  await armAll(services, await replanUsers(services.db, chunk.users, services.now()));
}

/** What the queue gave up on. The hourly reconcile mends it; until then it is counted, and can be replayed. */
export async function keepForReplay({ db, log, now }: Services, { users }: ReplanChunk): Promise<void> {
  await keepDeadLetter(db, users, now());
  log({ event: 'replan.dead-letter', level: 'error', users: users.length });
}

async function armAll({ alarms }: Services, wakes: Wake[]) {
  const earliest = new Map<string, number>();
  for (const { user, at } of wakes) earliest.set(user, Math.min(at, earliest.get(user) ?? at));
  await Promise.all([...earliest].map(([user, at]) => alarms.arm(user, at)));
}
