import { faultsIn } from './mutant.ts';

const interrupted = 'test/routes/items-interrupted.test.ts';
const items = ['test/routes/items.test.ts', 'test/routes/visibility.test.ts'];
const lists = ['test/routes/lists.test.ts', 'test/routes/visibility.test.ts'];

export const visibility = [
  ...faultsIn(
    'src/access/visibility.ts',
    [interrupted],
    [
      ['a deleted response still shows its case', ' and r.deleted_at is null))))`', '))))`'],
      ['a deleted response still lists its case', ' and r.deleted_at is null))`', '))`'],
    ],
  ),
  ...faultsIn(
    'src/access/visibility.ts',
    [...items, ...lists, 'test/routes/item-states.test.ts'],
    [
      ['responders see hidden cases', 'or (${cases.hidden} = 0 and (', 'or (1 and ('],
      ['responders see the responses of others', 'or(isStaff, eq(responses.responderId, actor));', 'sql`1`;'],
      [
        'a deleted response is read',
        'eq(responses.id, id), isNull(responses.deletedAt), mayViewResponse(actor)',
        'eq(responses.id, id), mayViewResponse(actor)',
      ],
      [
        'responders edit what others made',
        "role !== 'responder' || owner === actor",
        "role === 'responder' || role !== 'responder' || owner === actor",
      ],
      [
        'anyone is a member',
        '  and(sql`${members.investigationId} = ${investigationId}`, eq(members.userId, actor));',
        '  and(sql`${members.investigationId} = ${investigationId}`, sql`${actor} = ${actor}`);',
      ],
    ],
  ),
  ...faultsIn('src/access/visibility.ts', lists, [
    ['lists show hidden cases to responders', '(${cases.hidden} = 0 and ${cases.id} in', '(${cases.id} in'],
    [
      'lists are read by anyone',
      '    eq(members.userId, actor),\n    sql`${members.role} in ${listOf(roles)}`,',
      '    sql`${actor} = ${actor} and ${members.role} in ${listOf(roles)}`,',
    ],
  ]),
  ...faultsIn(
    'src/items/responses.ts',
    [...items, interrupted],
    [
      [
        'responders answer for hidden cases',
        "sql`(${members.role} <> 'responder' or ${cases.hidden} = 0)`",
        'sql`1`',
      ],
    ],
  ),
  ...faultsIn(
    'src/items/cases.ts',
    [...items, 'test/routes/item-states.test.ts', 'test/routes/archived.test.ts'],
    [
      ['a deleted case is read', '`(study_case.deleted_at is null and ${', '`(1 and ${'],
      ['a repeated creation shows a case that was hidden since', ' || !row.isVisible', ''],
    ],
  ),
  ...faultsIn(
    'src/log/list.ts',
    ['test/routes/activities.test.ts', 'test/routes/activity-log.test.ts', ...items],
    [
      [
        'responders read the activity log',
        "  if (role === 'responder') throw forbidden('Only owners and editors read the activity log.');\n",
        '',
      ],
    ],
  ),
  ...faultsIn(
    'src/studies/surveys.ts',
    ['test/routes/surveys.test.ts', ...items],
    [
      [
        'responders create surveys',
        "    if (me.role === 'responder') throw forbidden('Only owners and editors create surveys.');\n",
        '',
      ],
      [
        'responders change surveys',
        "    if (before.role === 'responder') throw forbidden('Only owners and editors change surveys.');\n",
        '',
      ],
    ],
  ),
  ...faultsIn(
    'src/studies/members.ts',
    ['test/routes/members.test.ts', ...items],
    [
      ['editors add members', "if (me.role !== 'owner') throw forbidden('Only owners add members.');", ''],
      ['editors change roles', "if (me.role !== 'owner') throw forbidden('Only owners change roles.');", ''],
      [
        'members remove others',
        "if (me.role !== 'owner' && user !== actor)",
        "if (me.role === 'responder' && user !== actor)",
      ],
    ],
  ),
  ...faultsIn(
    'src/studies/investigations.ts',
    ['test/routes/investigations.test.ts', ...items],
    [['editors change the study', "if (before.role !== 'owner')", "if (before.role === 'responder')"]],
  ),
  ...faultsIn(
    'src/reminders/history.ts',
    ['test/routes/reminders.test.ts', ...items],
    [
      [
        'responders read the notifications of others',
        "if (me.role === 'responder') throw forbidden('Only owners and editors read the notifications of others.');",
        '',
      ],
    ],
  ),
  ...faultsIn(
    'src/http/auth/require-self.ts',
    ['test/routes/users.test.ts', 'test/routes/visibility.test.ts'],
    [
      [
        'people act for those who share a study with them',
        "  throw forbidden('Only the user themselves may do this.');\n",
        '  return user;\n',
      ],
      ['a stranger learns who exists', '  await readCoMember(context, user);\n', ''],
    ],
  ),
  ...faultsIn(
    'src/http/auth/authenticate.ts',
    ['test/routes/authentication.test.ts'],
    [['a token is trusted from the future on', 'cached.at <= now && ', '']],
  ),
  ...faultsIn(
    'src/people/exports.ts',
    ['test/routes/user-export.test.ts'],
    [['an export drops what is behind a long row', 'total - size < ${pageBytes}', 'total < ${pageBytes}']],
  ),
];
