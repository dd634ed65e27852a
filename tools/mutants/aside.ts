import { faultsIn } from './mutant.ts';

const asides = ['test/items/set-asides.test.ts'];
const outdated = ['test/items/outdated.test.ts'];
const clocks = ['test/items/phone-clocks.test.ts'];

/** An answer that was right when it was given is never lost, and keeps its meaning and its time. */
export const aside = [
  ...faultsIn('src/items/obstacles.ts', asides, [
    [
      'an answer that was given after the change is set aside',
      'reasonToSetAside',
      'at < (since ?? 0)',
      'true',
    ],
    ['an answer without a place is refused for good', 'reasonToSetAside', '? first[0]', '? undefined'],
    [
      'a case that was always hidden tells that it exists',
      'goneCase',
      "c.hidden = 0 or ${members.role} <> 'responder'",
      '1',
    ],
    [
      'answers of before they joined are heard of former members',
      'formerMembership',
      'coalesce((select max',
      'coalesce(0 * (select max',
    ],
  ]),
  ...faultsIn('src/items/set-asides.ts', asides, [
    [
      'an answer that is set aside is dropped',
      'insertSetAside',
      'isStudy(given.investigation,',
      'isStudy(`${given.investigation}x`,',
    ],
    ['an answer is set aside in a frozen study', 'setAside', 'requireUnfrozen(target);', ''],
  ]),
  ...faultsIn('src/items/new-responses.ts', asides, [
    [
      'an answer is placed in a locked case',
      'requireOpenCase',
      'caseLockedAt !== null',
      'caseLockedAt === 0',
    ],
  ]),
  ...faultsIn('src/items/place-set-aside.ts', asides, [
    [
      'a placed answer was given when it was placed',
      'placeAnswer',
      'responder: responderId,',
      'responder: responderId, givenAt: now,',
    ],
    [
      'a discarded answer can be placed',
      'placeAnswer',
      "if (answer.settledAt !== null) throw notFound('answer');",
      '',
    ],
    ['an answer is discarded in a frozen study', 'discardAnswer', 'requireUnfrozen(answer);', ''],
    ['what is discarded stays', 'settle', 'items: {},', ''],
  ]),
  ...faultsIn('src/log/survey-changes.ts', outdated, [
    [
      'a change of the reminders makes answers outdated',
      'itemChangesAfter',
      " and details -> '$.before.items' is not null",
      '',
    ],
    ['an answer of after the change is not checked', 'itemChangesAfter', 'activity.at > ${at}', '1'],
  ]),
  ...faultsIn('src/schedule/phone-clocks.ts', clocks, [
    ['a clock that is ahead loses the answer', 'byServiceClock', 'at <= now + clockToleranceMs', 'false'],
    [
      'the difference of the clocks is taken twice',
      'byServiceClock',
      'at + now - clock',
      'at + 2 * (now - clock)',
    ],
  ]),
  ...faultsIn('src/items/given-times.ts', clocks, [
    ['an answer that is sent again by another clock is refused', 'isSameTime', 'clock !== undefined ||', ''],
  ]),
];
