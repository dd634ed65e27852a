import { faultsIn } from './mutant.ts';

const occurrences = ['test/node/schedule/occurrences.test.ts', 'test/node/schedule/decide-all.test.ts'];
const series = ['test/node/schedule/series.test.ts', 'test/node/schedule/occurrences.test.ts'];
const planning = [
  'test/routes/reminders.test.ts',
  'test/routes/reminders-replanning.test.ts',
  'test/routes/deliveries-decisions.test.ts',
  'test/routes/outbox.test.ts',
];

export const planningFaults = [
  ...faultsIn(
    'src/reminders/agenda.ts',
    ['test/routes/agenda.test.ts'],
    [['an agenda ends with the first hundred surveys', 'rows.length < maxSurveys ||', 'true ||']],
  ),
  ...faultsIn(
    'src/operations/sweep-work.ts',
    ['test/routes/sweep.test.ts'],
    [
      [
        'a sweep begins with the same notifications each time',
        '{ at: last.at, user: last.userId, survey: last.surveyId }',
        '{ at: 0 }',
      ],
    ],
  ),
  ...faultsIn(
    'src/operations/sweep-work.ts',
    ['test/routes/zones.test.ts'],
    [
      [
        'an older version plans everyone by its zone rules',
        'zones.release < tzRelease',
        'zones.release !== tzRelease',
      ],
    ],
  ),
  ...faultsIn(
    'src/reminders/outbox.ts',
    ['test/routes/zones.test.ts'],
    [['what an old version plans after the upgrade stays', '    db.insert(replans).values(later),\n', '']],
  ),
  ...faultsIn(
    'src/schedule/shown.ts',
    ['test/node/schedule/shown.test.ts'],
    [
      ['a nudge is shown after the next occurrence', 'nudge.dueAt >= end', 'false'],
      ['a nudge is shown within quiet hours', "if (verdict === 'send') nudges", 'nudges'],
    ],
  ),
  ...faultsIn('src/schedule/occurrences.ts', occurrences, [
    [
      'what was due when one joined is due again',
      'if (dueAt > after) return { on: dateOf(day)',
      'if (dueAt >= after) return { on: dateOf(day)',
    ],
    ['a settled date is planned again', 'dayOf(settledThrough) + 1', 'dayOf(settledThrough)'],
    ['the time of the rule wins over the user’s own', 'timeOf(state.time ?? rule.time)', 'timeOf(rule.time)'],
  ]),
  ...faultsIn('src/schedule/series.ts', series, [
    ['a series has one occurrence too many', 'counter >= length', 'counter > length'],
    ['a listed day counts for the day before', 'if (number < limit) count++', 'if (number <= limit) count++'],
    ['a fixed series begins again', 'length: days.length };', 'length: endless };'],
    [
      'the delay of a series is left out',
      'const sunday = first + delay - weekday;',
      'const sunday = first - weekday;',
    ],
  ]),
  ...faultsIn('src/reminders/plan-changes.ts', planning, [
    ['a changed time of day is not planned', 'current?.dueAt === next?.dueAt && ', ''],
    [
      'what became stale is skipped instead of invalidated',
      "state: 'invalidated', reason: 'stale'",
      "state: 'skipped', reason: 'stale'",
    ],
    [
      'a date that comes later is struck off',
      'if (comesLater) unschedule',
      'if (comesLater && now < 0) unschedule',
    ],
    [
      'a date that is over stays pending',
      'if (current && current.key !== keyOf(next)) takeBack(state, { current, next, now }, changes);',
      '',
    ],
  ]),
  ...faultsIn(
    'src/reminders/plan-changes.ts',
    ['test/routes/zones.test.ts', ...planning],
    [
      [
        'a row does not say its new zone',
        'current.plannedFrom !== state.plannedFrom',
        'current.plannedFrom === ""',
      ],
    ],
  ),
  ...faultsIn(
    'src/reminders/statements.ts',
    ['test/routes/deliveries-mishaps.test.ts', 'test/routes/deliveries-serial.test.ts', ...planning],
    [
      [
        'a plan from before a change is stored',
        "and ${stampsOf('u', 's')} = p.value ->> 'plannedFrom'`",
        "and p.value ->> 'plannedFrom' is not null`",
      ],
    ],
  ),
  ...faultsIn(
    'src/reminders/statements.ts',
    ['test/routes/plan-races.test.ts'],
    [
      ['the job of a refused plan is done', ') = ${conditional.length}`', ') >= 0`'],
      [
        'a plan of the archive takes away what a return planned',
        "->> 'reason'`,\n    })\n    .from(sql`${each(rows)} p ${whileStampsHold}`)",
        "->> 'reason'`,\n    })\n    .from(sql`${each(rows)} p`)",
      ],
      [
        'a plan from before a change takes away what is next again',
        'from ${each(rows)} p ${whileStampsHold})`',
        'from ${each(rows)} p)`',
      ],
    ],
  ),
  ...faultsIn(
    'src/reminders/effective-zone.ts',
    ['test/routes/unknown-zones.test.ts'],
    [['an unknown zone is planned in', 'zones.find(isZoneName)', 'zones[0]']],
  ),
  ...faultsIn('src/reminders/outbox.ts', planning, [
    ['a job waits for the sweep', '  outbox.push(job);\n', ''],
  ]),
  ...faultsIn(
    'src/reminders/outbox.ts',
    ['test/routes/plan-stamps.test.ts'],
    [
      [
        'a change of a user raises no stamp',
        '.set({ planStamp: sql`${users.planStamp} + 1` })',
        '.set({ planStamp: sql`${users.planStamp}` })',
      ],
      [
        'a change of a survey raises no stamp',
        '.set({ planStamp: sql`${surveys.planStamp} + 1` })',
        '.set({ planStamp: sql`${surveys.planStamp}` })',
      ],
    ],
  ),
  ...faultsIn(
    'src/reminders/state.ts',
    ['test/routes/reminders-replanning.test.ts'],
    [['who joined late is reminded of what was before', 'row.joinedAt, row.activeSince', 'row.activeSince']],
  ),
  ...faultsIn(
    'src/reminders/state.ts',
    ['test/routes/reminders-replanning.test.ts'],
    [
      [
        'new reminders begin behind the old ones',
        'one.settledAt !== null && one.revision === row.revision',
        'one.settledAt !== null',
      ],
    ],
  ),
  ...faultsIn(
    'src/reminders/state.ts',
    ['test/routes/deliveries-decisions.test.ts'],
    [['a deleted answer counts', ' and r.deleted_at is null)\n  else', ')\n  else']],
  ),
  ...faultsIn(
    'src/reminders/state.ts',
    ['test/routes/pauses.test.ts', ...planning],
    [
      [
        'a pause of one study is passed over',
        'max(coalesce(u.paused_until, 0), coalesce(m.paused_until, 0))',
        'max(coalesce(u.paused_until, 0), 0)',
      ],
      [
        'an archived study still reminds',
        'i.archived_at is not null or s.archived_at is not null',
        's.archived_at is not null',
      ],
    ],
  ),
  ...faultsIn('src/reminders/replan.ts', planning, [
    [
      'the latest of a user’s attempts is armed',
      'Math.min(at, earliest.get(user) ?? at)',
      'Math.max(at, earliest.get(user) ?? at)',
    ],
    [
      'the members of a study are not planned',
      '      await services.queue.send({ users: users.slice(start, start + chunkSize) });',
      '      void start;',
    ],
  ]),
];
