import { deliver } from '../../src/jobs/deliver.ts';
import { replanChunk } from '../../src/jobs/replan.ts';
import { sweep } from '../../src/jobs/sweep.ts';
import { ids, storedReminders, subjects } from '../support/study-rows.ts';
import { times } from './database.ts';
import type { openService } from './service.ts';

export const operationNames = [
  'a page of 100 responses',
  'one response',
  'list the upcoming of a user',
  'lock 100 responses',
  'register a phone',
  'a sweep with nothing due',
  'deliver one reminder',
  'PATCH the reminders',
  'replan a chunk of 100',
] as const;
export type OperationName = (typeof operationNames)[number];

/** Does something once; returns of how many items it was, when it depends on how many there are. */
export type Operation = () => Promise<number>;

const most = 100;

/** Each operation on the loaded study, to be run in this order, once. The people are known at the door before. */
export async function operationsOn(
  { services, clock, person }: ReturnType<typeof openService>,
  size: number,
): Promise<Record<OperationName, Operation>> {
  const [ada, chidi] = [await person(subjects.owner), await person(subjects.member(0))];
  await Promise.all([ada('GET', '/user/me'), chidi('GET', '/user/me')]);
  const [study, survey] = [ids.study(0), ids.survey(0)];
  const items = Math.min(most, size);
  const all = Array.from({ length: items }, (_, n) => n);
  const reminders = storedReminders('30 7 * * *');
  const phone = { platform: 'android', token: 'a-new-phone', timeZone: 'Asia/Tokyo' };
  const asked =
    (work: () => Promise<unknown>, of = 1) =>
    async () => {
      await work();
      return of;
    };
  return {
    'a page of 100 responses': asked(
      () => ada('GET', `/investigation/${study}/responses?limit=${most}`),
      items,
    ),
    'one response': asked(() => ada('GET', `/response/${ids.response(0, size - 1)}`)),
    'list the upcoming of a user': asked(() => chidi('GET', `/survey/${survey}/reminders/upcoming`)),
    'lock 100 responses': asked(() => {
      const responses = all.map((n) => ({ identifier: ids.response(0, n) }));
      return ada('POST', `/investigation/${study}/lock-items`, { responses, status: 'locked' });
    }, items),
    'register a phone': asked(() => chidi('POST', '/user/me/device', phone)),
    'a sweep with nothing due': asked(() => sweep(services)),
    'deliver one reminder': asked(async () => {
      clock.now = times.due;
      // Not the one with the new phone: of all others the plan is what was loaded.
      const next = await deliver(services, ids.member(size - 1));
      if (next !== times.due + 24 * 3600_000) throw new Error(`the next one is due at ${next}`);
    }),
    'PATCH the reminders': asked(() => ada('PATCH', `/survey/${survey}`, { reminders })),
    'replan a chunk of 100': asked(() => replanChunk(services, { users: all.map(ids.member) }), items),
  };
}
