import { faultsIn } from './mutant.ts';

const deviceZones = ['test/phones/device-zones.test.ts'];
const schedule = ['test/schedule/series.node.test.ts', 'test/schedule/occurrences.node.test.ts'];
const plans = ['test/reminders/reminders.test.ts', 'test/reminders/reminders-replanning.test.ts'];
const triggered = ['test/reminders/triggers.test.ts'];
const simulated = ['test/simulator/triggers.node.test.ts'];
const trips = ['test/schedule/trips.node.test.ts'];
const races = ['test/reminders/overlapping-turns.test.ts', 'test/reminders/plan-races.test.ts'];

/** Each member has exactly one pending row for each survey with reminders: the next occurrence, while the series lasts. */
export const planned = [
  ...faultsIn('src/phones/statements.ts', deviceZones, [
    [
      'a laptop at home takes the zone of a traveller by registering again',
      'zoneSince',
      'iif(${devices.timeZone} is ${zone}, ${devices.zoneSince}, ${now})',
      '${now}',
    ],
  ]),
  ...faultsIn('src/phones/zone-schema.ts', deviceZones, [
    ['a dead phone gives the zone', 'byZone', 'order by enabled desc, ', 'order by '],
  ]),
  ...faultsIn('src/schedule/occurrences.ts', trips, [
    [
      "a study's clock follows the phone",
      'clockedBy',
      'timeZone: studyZone, userZone',
      'timeZone: userZone, userZone',
    ],
  ]),
  ...faultsIn('src/schedule/decide.ts', simulated, [
    [
      'after an outage each response is reminded of',
      'decideDue',
      'occurrence !== newest',
      'occurrence === null',
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
  ...faultsIn(
    'src/reminders/change.ts',
    ['test/reminders/change.test.ts'],
    [
      [
        'the windows of a survey are drawn from two secrets, of two previews at once',
        'makeSecret',
        'coalesce(${surveys.windowSecret}, ${newSecret()})',
        '${newSecret()}',
      ],
    ],
  ),
  ...faultsIn(
    'src/studies/surveys.ts',
    ['test/reminders/change.test.ts'],
    [
      [
        'windows are saved with another secret than a preview at the same time drew',
        'updateSurvey',
        'coalesce(${surveys.windowSecret}, ${newSecret()})',
        '${newSecret()}',
      ],
    ],
  ),
  ...faultsIn('src/reminders/decide.ts', trips, [
    ['a traveller is reminded of tomorrow before today', 'decideOccurrences', 'isReplaced || ', ''],
  ]),
  ...faultsIn('src/reminders/plan.ts', plans, [
    ['a changed time of day is not planned', 'planNext', 'current?.dueAt === next?.dueAt && ', ''],
  ]),
  ...faultsIn('src/reminders/settle.ts', races, [
    ['a plan from before a change is kept', 'isStill', "c.version = ${text('version')}", '1'],
  ]),
  ...faultsIn('src/reminders/wake.ts', races, [
    ['a change raises no version', 'woken', 'sql`${cursors.version} + 1`', 'sql`${cursors.version}`'],
    [
      'a change during a turn lets another turn begin',
      'woken',
      'sql`max(${now}, coalesce(${cursors.claimedUntil}, 0))`',
      'sql`${now}`',
    ],
  ]),
  ...faultsIn('src/reminders/walk.ts', races, [
    [
      'the end of a walk takes a newer change of the same people with it',
      'isSame',
      'eq(wakes.version, version),',
      '',
    ],
  ]),
  ...faultsIn('src/locks/item-states.ts', triggered, [
    [
      'the reminder of a deleted response stays planned',
      'wakeOwners',
      'owners.map(',
      'owners.slice(0, 0).map(',
    ],
  ]),
];
