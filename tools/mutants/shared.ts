import { faultsIn } from './mutant.ts';

const turns = ['test/http/turns.node.test.ts'];
const work = ['test/http/work.node.test.ts'];
const large = ['test/http/large-things.test.ts'];

/** Nobody's long answer holds up others, and nothing that is long stops what follows it. */
export const shared = [
  ...faultsIn('src/breathe.ts', turns, [
    [
      'all long work has its turn at once',
      'giveTurn',
      'waiting[kind].shift()?.();',
      'for (const turn of waiting[kind].splice(0)) turn();',
    ],
    [
      'a turn lasts as long as its rows take',
      'startTurn',
      'characters > turnCharacters || clock() - began > turnMs',
      'characters > turnCharacters',
    ],
  ]),
  ...faultsIn('src/http/lists/streaming.ts', turns, [
    [
      'a page is written in one turn',
      'writePages',
      'if (!turn.isOver(text.length - written)) continue;',
      'if (index > 0) continue;',
    ],
    [
      'a short list waits for all long ones',
      'writePages',
      'await (page === first ? firstTurn() : breathe());',
      'await breathe();',
    ],
  ]),
  ...faultsIn('src/http/work.ts', work, [
    [
      'a request keeps its place for ever',
      'begin',
      'if (!caller.places.delete(place)) return;',
      'if (caller.places.has(place)) return;',
    ],
    [
      'a person has any number of requests under way',
      'takePlace',
      'if (places.size < placesOfCaller) return',
      'if (places.size < Infinity) return',
    ],
    ['a person has several exports under way', 'begin', 'place.isLong = true;', 'place.isLong = false;'],
    ['what a request computes costs nothing', 'begin', 'rateLimits?.charge?.(key, tokens);', ''],
    ['a HEAD of a long list is under way for ever', 'isStreaming', "c.req.method !== 'HEAD' && ", ''],
    [
      'a client that reads nothing keeps its person from exports',
      'endStalled',
      'if (now - readAt < stalledMs) continue;',
      'if (now > 0) continue;',
    ],
  ]),
  ...faultsIn('src/http/lists/streaming.ts', work, [
    ['an export whose client left is under way for ever', 'streamRows', 'cancel: () => work?.end(),', ''],
  ]),
  ...faultsIn('src/http/lists/paging.ts', large, [
    ['a page is as long as its rows', 'fitting', '(n > 0 && bytes > most)', 'bytes < 0'],
  ]),
  ...faultsIn('src/changes/changes.ts', large, [
    ['a thing longer than a page stops the feed', 'pageWithBodies', ' or page.number = 1', ''],
  ]),
  ...faultsIn('src/items/response-list.ts', large, [
    ['a response longer than a page ends the list', 'rowsOf', '1 + max(1, (', '1 + max(0, ('],
  ]),
  ...faultsIn('src/studies/survey-list.ts', large, [
    ['a survey longer than a page ends the list', 'listSurveys', '1 + max(1, (', '1 + max(0, ('],
  ]),
  ...faultsIn('src/items/revisions.ts', large, [
    ['a revision longer than a page is not shown', 'oldestOfPage', 'total = bytes or ', ''],
  ]),
  ...faultsIn('src/people/exports.ts', large, [
    ['a row longer than a page ends its kind in the export', 'pageOf', 'total - size < ', 'total < '],
  ]),
  ...faultsIn('src/log/pages.ts', large, [
    [
      'an entry longer than a page ends the export of the log',
      'readStored',
      'lt(page.preceding, pageCharacters)',
      'lt(sql`preceding + characters`, pageCharacters)',
    ],
  ]),
  ...faultsIn(
    'src/changes/copies.ts',
    ['test/log/recorded-downloads.test.ts'],
    [
      [
        'a copy that does not begin at 0 is not logged',
        'recordCopy',
        'if (behind <= Math.min(longestPage, latest / 2)) return;',
        'if (after > 0) return;',
      ],
      [
        'each page of a copy is an entry',
        'recordCopy',
        'after > 0 && (await isCovered(context, investigation, after))',
        'after < 0 && (await isCovered(context, investigation, after))',
      ],
    ],
  ),
  ...faultsIn(
    'src/http/lists/csv.ts',
    ['test/items/lists.test.ts'],
    [
      [
        'a formula behind a semicolon is run',
        'withoutFormulas',
        'text.replaceAll(formulaWithin, "$1\'")',
        'text',
      ],
    ],
  ),
  ...faultsIn(
    'migrations/0000_one_point_zero.sql',
    ['test/people/user-export.test.ts'],
    [['each page of an export reads all cases again', 'case_by_creator', ',`id`)', ')']],
  ),
];
