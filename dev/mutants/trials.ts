import { faultsIn } from './mutant.ts';

const freezes = ['test/routes/freezes-proof.slow.test.ts'];
const verifier = ['test/node/dev/verify.test.ts'];
const policies = ['test/routes/lock-policies.test.ts'];

/** Freezes, lock policies and signatures. */
export const trials = [
  ...faultsIn('migrations/0000_one_point_zero.sql', freezes, [
    ['a frozen study takes a case', 'INSERT ON `study_case` WHEN', 'INSERT ON `study_case` WHEN 0 AND'],
    [
      'a case of a frozen study is edited',
      '`label`, `hidden`, `revision_id` ON `study_case` WHEN',
      '`label`, `hidden`, `revision_id` ON `study_case` WHEN 0 AND',
    ],
    ['a frozen study takes a response', 'INSERT ON `response` WHEN', 'INSERT ON `response` WHEN 0 AND'],
    [
      'a response of a frozen study is edited',
      '`revision_id` ON `response` WHEN',
      '`revision_id` ON `response` WHEN 0 AND',
    ],
    ['a frozen study takes a survey', 'INSERT ON `survey` WHEN', 'INSERT ON `survey` WHEN 0 AND'],
    [
      'items of a frozen study are locked',
      '`change_logged_in_frozen` BEFORE INSERT ON `activity` WHEN',
      '`change_logged_in_frozen` BEFORE INSERT ON `activity` WHEN 0 AND',
    ],
  ]),
  ...faultsIn(
    'src/locks/freezes.ts',
    ['test/routes/freezes.test.ts'],
    [
      ['editors freeze a study', "if (me.role !== 'owner')", "if (me.role === 'responder')"],
      [
        'a freeze is not in the log',
        '      appendActivity(db, await chainEntry(headOf(head), entry, context)),\n',
        '',
      ],
      [
        'freezing again renews the time of the freeze',
        "if ((study.frozenAt !== null) === (status === 'frozen')) return;",
        "if (study.frozenAt === null && status !== 'frozen') return;",
      ],
    ],
  ),
  ...faultsIn('src/locks/policies.ts', policies, [
    ['editors unlock where only owners may', "role !== 'owner')", "role === 'responder')"],
    ['nobody signs where the policy asks for it', 'if (study?.policy?.signature)', 'if (now < 0)'],
    ['an old sign-in signs', 'age > maxSignInAge || ', ''],
    ['a sign-in of the future signs', ' || age < -skewSeconds', ''],
    ['a token that does not say when signs', 'authTime ?? 0', 'authTime ?? now / 1000'],
    [
      'the signature has no name of the signer',
      "name: study?.signer ?? ''",
      "name: study?.signer === null ? '' : ''",
    ],
  ]),
  ...faultsIn('src/locks/item-states.ts', policies, [
    [
      'a lock forgets its signature',
      'reason: change.reason, signature }',
      'reason: change.reason, signature: signature && undefined }',
    ],
    [
      'a policy of unlocking holds for filters only',
      "if (change.transition === 'unlock') requireUnlocker",
      "if (change.transition === 'undelete') requireUnlocker",
    ],
  ]),
  ...faultsIn('src/locks/matching.ts', policies, [
    ['a policy of unlocking does not hold for filters', 'requireUnlocker(', 'void (() => requireUnlocker)('],
  ]),
  ...faultsIn('src/locks/signatures.ts', policies, [
    [
      'responders see who signed a lock',
      "when current_member.role <> 'responder'",
      'when current_member.role is not null',
    ],
  ]),
  ...faultsIn('dev/verify/chain.ts', verifier, [
    ['the verifier passes an edited entry', 'if (hash !== sha256(', "if ('' === sha256("],
    [
      'the verifier passes an edited detail',
      'const { hash, actorName: _, ...hashed }',
      'const { hash, actorName: _, details: __, ...hashed }',
    ],
    ['the verifier does not say that an entry is missing', 'if (position > expected)', 'if (position < 0)'],
    ['the verifier does not say that an entry was put in', 'if (position < expected)', 'if (position < 0)'],
    [
      'the verifier takes entries of two studies for one log',
      'before.investigation !== undefined && before.investigation !== investigation',
      "investigation === ''",
    ],
  ]),
  ...faultsIn('dev/verify/verify.ts', verifier, [
    [
      'the verifier passes a log whose end is cut off',
      'if (head && position < head.position)',
      'if (head && position < 0)',
    ],
    ['the verifier accepts a log that was written again', 'followed.hash !== head.hash', "head.hash === ''"],
    [
      'the verifier takes the head of another study',
      'head.investigation !== investigation',
      "head.investigation === ''",
    ],
    ['the verifier takes items of an entry that is not there', '(at) => at > position', '(at) => at < 0'],
    ['the verifier does not look at the items', 'if (list) checkItems(', 'if (!list) checkItems('],
  ]),
  ...faultsIn('dev/verify/head.ts', verifier, [
    [
      'the verifier takes a signature of another key',
      'if (!verify(null, signed, publicKey,',
      'if (alg === undefined && !verify(null, signed, publicKey,',
    ],
    [
      'the verifier takes a head that says what was not signed',
      'if (meant[field] !== value)',
      "if (field === '')",
    ],
  ]),
  ...faultsIn('dev/verify/items.ts', verifier, [
    ['the verifier does not count the items', 'if (list[kind].length !== expected)', 'if (expected < 0)'],
    [
      'the verifier passes items that do not fit the digest',
      'if (digest !== kept.data.items.sha256)',
      "if (digest === '')",
    ],
    ['the verifier passes other items than the entry names', 'id !== list[kind][n]', "id === ''"],
    [
      'the verifier takes the first pages of the items for all',
      'if (read.at(-1)?.next !== undefined)',
      "if (read.at(-1)?.next === '')",
    ],
  ]),
];
