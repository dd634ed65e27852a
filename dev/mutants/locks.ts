import { faultsIn } from './mutant.ts';

const interrupted = 'test/routes/items-interrupted.test.ts';
const states = 'test/routes/item-states.test.ts';

export const locks = [
  ...faultsIn(
    'src/access/edit-guards.ts',
    [interrupted],
    [
      [
        'an editor who is demoted during an edit still edits',
        '    stillHasRole(table.investigationId, actor, before.role),\n',
        '',
      ],
      ['a lock that comes during an edit loses', '    isNull(table.lockedAt),\n', ''],
      ['an archival that comes during an edit loses', '    isNull(table.archivedAt),\n', ''],
      ['a deletion that comes during an edit loses', '    isNull(table.deletedAt),\n', ''],
      [
        'an edit does not look at the lock',
        'if (lockedAt !== null) throw locked',
        'if (false as boolean) throw locked',
      ],
      ['an edit overwrites one that came meanwhile', '    eq(table.revisionId, before.revisionId),\n', ''],
    ],
  ),
  ...faultsIn(
    'src/access/edit-guards.ts',
    [states, 'test/routes/items.test.ts', 'test/routes/archived.test.ts'],
    [
      [
        'an archived study takes what is new',
        'if (study && study.archivedAt !== null)',
        'if (study && study.archivedAt === 0)',
      ],
    ],
  ),
  ...faultsIn(
    'src/access/edit-guards.ts',
    ['test/routes/items-revisions.test.ts', 'test/routes/preconditions.test.ts'],
    [
      [
        'a stale If-Match is taken',
        'if (ifMatch && !ifMatch.includes(current))',
        'if (ifMatch && current === "")',
      ],
    ],
  ),
  ...faultsIn(
    'src/items/responses.ts',
    [interrupted],
    [
      ['a case that is locked meanwhile takes a response', '${cases.lockedAt} is null and ', ''],
      ['a case that is archived meanwhile takes a response', '${cases.archivedAt} is null and ', ''],
    ],
  ),
  ...faultsIn(
    'src/locks/item-states.ts',
    [states],
    [
      [
        'locking again renews the time of the lock',
        'item !== undefined && (item[column] === null) === set;',
        'item !== undefined;',
      ],
      ['one unknown item among others is passed over', 'if (unknown.length > 0)', 'if (unknown.length > 1)'],
      ['a locked item is archived and deleted', '?.lockedAt != null;', '?.lockedAt === -1;'],
      [
        'responders lock only what is theirs',
        "if (transitions[change.transition].column === 'lockedAt') return;",
        '',
      ],
      [
        'editors bring back deleted items',
        "change.transition === 'undelete' && role !== 'owner'",
        "change.transition === 'undelete' && role === 'responder'",
      ],
      ['deleted items come back after their retention', '<= deletedRetention', '>= 0'],
      ['a lock is not in the log', '      appendActivity(db, await chainEntry(head, entry, context)),\n', ''],
      [
        'items of the other list are not changed',
        'responses: ids.responses.filter(',
        'responses: ids.cases.filter(',
      ],
    ],
  ),
  ...faultsIn(
    'src/locks/item-states.ts',
    ['test/routes/conditional-get.test.ts', states],
    [
      [
        'a lock leaves the answer that clients have cached valid',
        'state_revision = revision_id',
        'state_revision = state_revision',
      ],
    ],
  ),
  ...faultsIn(
    'src/log/activities.ts',
    ['test/routes/activities.test.ts', 'test/routes/activity-log.test.ts', states],
    [
      ['an entry skips a position', 'position: head.position + 1,', 'position: head.position + 2,'],
      [
        'entries are not chained to the one before',
        'await chainedHash(head.hash, row)',
        'await chainedHash(genesis.hash, row)',
      ],
    ],
  ),
  ...faultsIn(
    'src/locks/matching.ts',
    ['test/routes/lock-matching.test.ts'],
    [
      ['a filter locks what was deleted', '    isNull(table.deletedAt),\n', ''],
      [
        'a filter locks what the caller does not see',
        "    kind === 'cases' ? mayViewCase(actor) : mayViewResponse(actor),\n",
        '',
      ],
      ['a filter locks what comes after the request', '    lte(table.createdAt, now),\n', ''],
      ['a dry run locks', '    if (change.dryRun) return counts;\n', ''],
    ],
  ),
];
