import { faultsIn } from './mutant.ts';

const shares = ['test/items/shares.test.ts'];
const edits = ['test/items/shares.test.ts', 'test/items/revisions.test.ts'];

/** Nobody takes the room of others, and what is deleted gives its room back. */
export const stored = [
  ...faultsIn('src/permissions/shares.ts', shares, [
    ['a participant makes cases without end', 'hasShare', '<= min(', '<= 9e15 + min('],
    [
      'a participant whom others left no room cannot answer',
      'rooms',
      "max(${personBytes} / ${ownPart} - ${writtenOn('sharer', day)},\n    ",
      'max(-1, ',
    ],
    ['participants fill the log with locks', 'requireEntry', 'room && action', '!room && action'],
    ['yesterday counts today', 'writtenOn', '= ${day}, ${written}', '<> 0, ${written}'],
  ]),
  ...faultsIn('src/permissions/growth.ts', shares, [
    [
      'only the last thing that a participant wrote counts',
      'ofDay',
      ':day, written, :day *',
      ':day, 0, :day *',
    ],
    [
      'a case counts each time that it is sent',
      'grow',
      '? `exists (select 1 from ${row.table} where id = :id and ${revisions[row.table]} = :revision)`',
      "? '1'",
    ],
  ]),
  ...faultsIn('src/locks/restores.ts', shares, [
    [
      'what is deleted goes on counting',
      'growthOf',
      'stored, deleted: -stored',
      'stored: 0, deleted: -stored',
    ],
    ['a disk is filled by storing and deleting', 'growthOf', 'stored, deleted: -stored', 'stored'],
    ['a restore overfills a study', 'requireRoom', 'requireBytes(size, stored, limits);', ''],
  ]),
  ...faultsIn('src/operations/purge.ts', shares, [
    [
      'what is purged counts as deleted for ever',
      'purgeBatch',
      'deleted_bytes - gone.bytes',
      'deleted_bytes',
    ],
    ['what is purged leaves nothing that counts', 'purgeBatch', 'gone.items * ${feedBytes}', '0'],
  ]),
  ...faultsIn('src/items/responses.ts', shares, [
    ['an edit costs nothing of a day', 'updateResponse', 'written: 2 * storing', 'written: 0'],
  ]),
  ...faultsIn('src/items/responses.ts', edits, [
    ['an edit stores nothing', 'updateResponse', 'stored: bytes,', 'stored: 0,'],
  ]),
  ...faultsIn('src/items/revisions.ts', edits, [
    ['a small edit stores everything again', 'revisionOf', 'changedBytes < wholeBytes', 'changedBytes < 0'],
    ['a removed answer stays in the history', 'apply', 'map.delete(key)', 'map.size'],
  ]),
];
