import type { Mutant } from './mutant.ts';

export const visibility: readonly Mutant[] = [
  {
    fault: 'a deleted response still shows its case',
    file: 'src/model/visibility.ts',
    find: `                eq(responses.responderId, actor),
                isNull(responses.deletedAt),`,
    replace: '                eq(responses.responderId, actor),',
    tests: ['test/routes/items-demotion.test.ts'],
  },
  {
    fault: 'a deleted response still lists its case',
    file: 'src/model/visibility.ts',
    find: ' and r.deleted_at is null)`',
    replace: ')`',
    tests: ['test/routes/items-demotion.test.ts'],
  },
];
