import type { Mutant } from './mutant.ts';

export const locks: readonly Mutant[] = [
  {
    fault: 'an editor who is demoted during an edit still edits',
    file: 'src/model/edit-guards.ts',
    find: '    stillHasRole(table.investigationId, actor, before.role),\n',
    replace: '',
    tests: ['test/routes/items-demotion.test.ts'],
  },
];
