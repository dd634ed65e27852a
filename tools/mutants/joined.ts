import { faultsIn } from './mutant.ts';

const about = ['test/enrolment/about.test.ts'];
const own = ['test/enrolment/own-relinks.test.ts'];
const labels = ['test/items/own-labels.test.ts'];

/** People know what a code is for, and what they agreed to is kept; only their own page continues for them. */
export const joined = [
  ...faultsIn('src/enrolment/about.ts', about, [
    ['one address looks at codes without end', 'aboutCode', 'await countUse();', ''],
  ]),
  ...faultsIn('src/enrolment/enrol.ts', about, [
    ['a used code tells what its study is', 'readUsable', ' || isSpent(found, now)', ''],
    [
      'somebody agrees to a text that is no longer the one of the study',
      'enrol',
      'await requirePresent(found.information, given.agreedTo);',
      '',
    ],
    ['the text that a person agreed to is forgotten', 'join', 'agreedTo,\n      number', 'number'],
  ]),
  ...faultsIn('src/enrolment/own-relinks.ts', own, [
    ["a participant's own code works for a day", 'lifetimeMs', '3600 * 1000', '24 * 3600 * 1000'],
    [
      "a participant's own code ends that of the team",
      'createOwnRelink',
      'db.delete(enrolments).where(isOwnRelink(actor)),',
      'db.delete(enrolments).where(eq(enrolments.userId, actor)),',
    ],
    [
      'each visit of a page writes an entry of the log',
      'createOwnRelink',
      'if (existing) return',
      'if (0) return',
    ],
  ]),
  ...faultsIn('src/enrolment/end-tokens.ts', own, [
    [
      'a lost phone goes on by the code that it has made',
      'endTokens',
      'db.delete(enrolments).where(isOwnRelink(actor)),',
      '',
    ],
  ]),
  ...faultsIn('src/enrolment/enrol.ts', own, [
    [
      'a stolen phone takes its participant back by the code that it has made',
      'relink',
      'and(isOwnRelink(user), ne(enrolments.id, found.id))',
      'sql`0`',
    ],
  ]),
  ...faultsIn('src/items/own-label.ts', labels, [
    [
      'a case keeps the name of its participant',
      'ownLabel',
      'coalesce(${codeOf(investigation, actor)},',
      'coalesce((select name from user where id = ${actor}),',
    ],
    ['the number of a participant changes', 'numberMember', 'number is null', '1'],
  ]),
  ...faultsIn(
    'src/studies/investigations.ts',
    ['test/studies/information.test.ts'],
    [
      [
        'an editor renames the study with its information',
        'requireChanger',
        "field !== 'information' && value !== undefined",
        'field !== field && value !== undefined',
      ],
      [
        'a page of studies ends the list',
        'listInvestigations',
        "bytes: bytesOfStudy.as('bytes')",
        "bytes: sql<number>`0`.as('bytes')",
      ],
    ],
  ),
];
