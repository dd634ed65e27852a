import { faultsIn } from './mutant.ts';

const shares = ['test/items/shares.test.ts'];
const edits = ['test/items/shares.test.ts', 'test/items/revisions.test.ts'];

/** Nobody takes the room of others, and what is deleted gives its room back. */
export const stored = [
  ...faultsIn('src/access/shares.ts', shares, [
    ['of many requests at once more is written than one may', 'hasShare', '<= min(', '<= 9e15 + min('],
    [
      'a participant whom others left no room cannot answer',
      'rooms',
      "max(${personBytes} / ${ownPart} - ${writtenOn('sharer', day)},\n    ",
      'max(-1, ',
    ],
    ['participants fill the log with locks', 'requireEntry', 'room && action', '!room && action'],
    ['yesterday counts today', 'writtenOn', '= ${day}, ${written}', '<> 0, ${written}'],
  ]),
  ...faultsIn('migrations/0000_one_point_zero.sql', shares, [
    [
      'only the last thing that a participant wrote counts',
      'participant_wrote',
      'UPDATE `member` SET `written` = ',
      'UPDATE `member` SET `written` = 0 * ',
    ],
    [
      'what is deleted goes on counting',
      'response_deletion',
      '`stored_bytes` = `stored_bytes` + iif(NEW.`deleted_at` IS NULL, 1, -1) * NEW.`stored_bytes`,',
      '',
    ],
    [
      'a disk is filled by storing and deleting',
      'response_deletion',
      '`deleted_bytes` = `deleted_bytes` - iif(NEW',
      '`deleted_bytes` = `deleted_bytes` - 0 * iif(NEW',
    ],
    [
      'what is purged is subtracted again',
      'response_removed',
      'iif(OLD.`deleted_at` IS NULL, -OLD.`stored_bytes`, 100)',
      '-OLD.`stored_bytes`',
    ],
    ['an edit costs nothing of a day', 'revision_added', '2 * (200', '0 * (200'],
  ]),
  ...faultsIn('src/locks/restores.ts', shares, [
    ['a restore overfills a study', 'appendRestore', 'case when ${fits} then', 'case when 1 then'],
  ]),
  ...faultsIn('src/items/revisions.ts', edits, [
    ['a small edit stores everything again', 'revisionOf', 'changedBytes < wholeBytes', 'changedBytes < 0'],
    ['a removed answer stays in the history', 'apply', 'map.delete(key)', 'map.size'],
  ]),
];
