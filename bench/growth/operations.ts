import { sweep } from '../../src/operations/jobs.ts';
import { deliver, planAll } from '../../src/reminders/jobs.ts';
import { wakeUsers } from '../../src/reminders/wake.ts';
import { ids, storedReminders, subjects } from '../support/study-rows.ts';
import { times } from './database.ts';
import type { openService } from './service.ts';

export const operationNames = [
  'a page of 100 responses',
  'one response',
  'a page of 100 changes',
  'list the upcoming of a user',
  'compliance of a day, a page of 100',
  'compliance of 366 days, a page of 100',
  'daily compliance of a day',
  'daily compliance of 366 days',
  'a page of 100 occurrences',
  'lock 100 responses',
  'register a phone',
  'a sweep with nothing due',
  'deliver one reminder',
  'PATCH the reminders',
  'plan 50 woken users',
] as const;
export type OperationName = (typeof operationNames)[number];

/** Returns the number of items it handled. */
export type Operation = () => Promise<number>;

const maxItems = 100;
/** Fewer than a turn takes. */
const maxPlanned = 50;

/** The operations on the loaded study, to be run once each, in order. Signs the people in first, so that tokens are cached. */
export async function operationsOn(
  { services, clock, person }: ReturnType<typeof openService>,
  size: number,
): Promise<Record<OperationName, Operation>> {
  const [ada, chidi] = [await person(subjects.owner), await person(subjects.member(0))];
  await Promise.all([ada('GET', '/user/me'), chidi('GET', '/user/me')]);
  const [study, survey] = [ids.study(0), ids.survey(0)];
  const items = Math.min(maxItems, size);
  const all = Array.from({ length: items }, (_, n) => n);
  const compliance = `/investigation/${study}/compliance`;
  const [day, year] = ['from=2027-02-28&to=2027-02-28', 'from=2026-02-28&to=2027-02-28'];
  const reminders = storedReminders('30 7 * * *');
  const phone = { platform: 'android', token: 'a-new-phone', timeZone: 'Asia/Tokyo' };
  const counted =
    (work: () => Promise<unknown>, of = 1) =>
    async () => {
      await work();
      return of;
    };
  return {
    'a page of 100 responses': counted(
      () => ada('GET', `/investigation/${study}/responses?limit=${maxItems}`),
      items,
    ),
    'a page of 100 changes': counted(
      () => ada('GET', `/investigation/${study}/changes?limit=${maxItems}`),
      items,
    ),
    'one response': counted(() => ada('GET', `/response/${ids.response(0, size - 1)}`)),
    'list the upcoming of a user': counted(() => chidi('GET', `/survey/${survey}/reminders/upcoming`)),
    'compliance of a day, a page of 100': counted(() => ada('GET', `${compliance}?${day}`), items),
    'compliance of 366 days, a page of 100': counted(() => ada('GET', `${compliance}?${year}`), items),
    'daily compliance of a day': counted(() => ada('GET', `${compliance}/daily?${day}`)),
    'daily compliance of 366 days': counted(() => ada('GET', `${compliance}/daily?${year}`)),
    'a page of 100 occurrences': counted(
      () => ada('GET', `/investigation/${study}/occurrences?limit=${maxItems}`),
      items,
    ),
    'lock 100 responses': counted(() => {
      const responses = all.map((n) => ({ identifier: ids.response(0, n) }));
      return ada('POST', `/investigation/${study}/lock-items`, { responses, status: 'locked' });
    }, items),
    'register a phone': counted(() => chidi('POST', '/user/me/device', phone)),
    'a sweep with nothing due': counted(() => sweep(services)),
    'deliver one reminder': counted(async () => {
      clock.now = times.due;
      // Not the person with the new phone, whose plan has changed.
      const next = await deliver(services, ids.member(size - 1));
      if (next !== times.due + 24 * 3600_000) throw new Error(`the next one is due at ${next}`);
    }),
    'PATCH the reminders': counted(() => ada('PATCH', `/survey/${survey}`, { reminders })),
    'plan 50 woken users': counted(
      async () => {
        const users = all.slice(0, maxPlanned).map(ids.member);
        await services.db.batch(wakeUsers({ db: services.db, now: clock.now }, users));
        await planAll(services, users);
      },
      Math.min(maxPlanned, items),
    ),
  };
}
