import { faultsIn } from './mutant.ts';

const schedule = ['test/schedule/series.test.ts', 'test/schedule/occurrences.test.ts'];
const plans = ['test/reminders/reminders.test.ts', 'test/reminders/reminders-replanning.test.ts'];
const triggered = ['test/reminders/triggers.test.ts'];
const simulated = ['test/simulator/triggers.test.ts'];
const trips = ['test/schedule/trips.test.ts'];
const stamps = ['test/reminders/plan-stamps.test.ts'];
const races = ['test/reminders/plan-races.test.ts', 'test/reminders/deliveries-serial.test.ts'];

/** Each member has exactly one pending row for each survey with reminders: the next occurrence, while the series lasts. */
export const planned = [
  ...faultsIn('src/reminders/triggers.ts', triggered, [
    ['a deleted response is followed', 'triggers', ' and ${r}.deleted_at is null', ''],
  ]),
  ...faultsIn('src/schedule/occurrences.ts', trips, [
    [
      "a study's clock follows the phone",
      'clockedBy',
      'timeZone: studyZone, userZone',
      'timeZone: userZone, userZone',
    ],
    [
      'a date whose time is later than yesterday is passed over',
      'occurrenceAfter',
      '=== null ? passed :',
      '=== null ? passed + 1 :',
    ],
  ]),
  ...faultsIn('src/reminders/lifecycle.ts', trips, [
    ['a traveller is reminded of tomorrow before today', 'decideOccurrences', 'isReplaced || ', ''],
  ]),
  ...faultsIn('src/reminders/plan-changes.ts', trips, [
    [
      'a traveller keeps the time of the place that was left',
      'planChanges',
      'current?.dueAt === next?.dueAt && ',
      '',
    ],
  ]),
  ...faultsIn('src/schedule/triggers.ts', simulated, [
    ['a response is reminded of again', 'openTriggers', '!settled && ', ''],
    ['a reminder is due when its response is given', 'dueAfter', 'given + after * 60_000', 'given'],
  ]),
  ...faultsIn('src/reminders/triggers.ts', simulated, [
    ['responses that do not fit are followed', 'triggers', ' and ${fits(r)}', ''],
  ]),
  ...faultsIn('src/schedule/decide.ts', simulated, [
    [
      'after an outage each response is reminded of',
      'decideDue',
      'occurrence !== newest',
      'occurrence === null',
    ],
  ]),
  ...faultsIn('src/locks/item-states.ts', triggered, [
    [
      'the reminder of a deleted response stays pending',
      'changeItems',
      'reminded.size > 0',
      'reminded.size < 0',
    ],
  ]),
  ...faultsIn('src/items/responses.ts', triggered, [
    [
      'the reminder of an edited response stays pending',
      'updateResponse',
      'before.triggers ? replanUser',
      'before === null ? replanUser',
    ],
  ]),
  ...faultsIn('src/studies/triggers.ts', triggered, [
    [
      'surveys remind in a fast circle',
      'checkTrigger',
      'trigger.after < minutesInCircle',
      'trigger.after < 0',
    ],
  ]),
  ...faultsIn('src/schedule/occurrences.ts', schedule, [
    [
      'a settled date is planned again',
      'occurrenceAfter',
      'dayOf(settledThrough) + 1',
      'dayOf(settledThrough)',
    ],
  ]),
  ...faultsIn('src/reminders/plan-changes.ts', plans, [
    ['a changed time of day is not planned', 'planChanges', 'current?.dueAt === next?.dueAt && ', ''],
  ]),
  ...faultsIn('src/reminders/state.ts', plans, [
    ['who joined late is reminded of what was before', 'toState', 'row.joinedAt,', ''],
  ]),
  ...faultsIn('src/reminders/outbox.ts', stamps, [
    [
      'a change of a user raises no stamp',
      'bumpUsers',
      'sql`${users.planStamp} + 1`',
      'sql`${users.planStamp}`',
    ],
  ]),
  ...faultsIn('src/reminders/statements.ts', races, [
    [
      'a plan from before a change is stored',
      'whileStampsHold',
      "and ${stampsOf('u', 's')} = p.value ->> 'plannedFrom'",
      '',
    ],
    ['the job of a refused plan is done', 'deleteJob', '= ${conditional.length}', '>= 0'],
  ]),
];
