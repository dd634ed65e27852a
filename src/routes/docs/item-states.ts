import { documented } from '../../http/openapi/documented.ts';
import { nothing } from '../../http/openapi/shapes.ts';

const tag = 'Locking';
const item = [{ identifier: '0198c1a4f3b27d3c9a51e07c4d2b8f60' }];

export const lock = documented({
  id: 'lockItems',
  tag,
  summary: 'Locks or unlocks cases and responses',
  description:
    'Whoever may view an item may lock and unlock it. All or nothing; what is in the state already stays as it is. At least one identifier, at most 1000 in all.',
  request: { cases: item, status: 'locked', reason: 'Interim analysis' },
  answers: nothing('Every item is in the state.'),
  problems: ['resource.not-found', 'items.not-found'],
});

export const archive = documented({
  id: 'archiveItems',
  tag,
  summary: 'Archives cases and responses, or brings them back',
  description: 'All or nothing; refused when any item is locked.',
  request: { responses: item, status: 'archived' },
  answers: nothing('Every item is in the state.'),
  problems: ['resource.not-found', 'items.not-found', 'action.forbidden', 'item.locked'],
});

export const remove = documented({
  id: 'deleteItems',
  tag,
  summary: 'Deletes cases and responses, or brings them back',
  description:
    'All or nothing; refused when any item is locked. An owner may bring items back for 30 days, then they are purged.',
  request: { responses: item, status: 'deleted' },
  answers: nothing('Every item is in the state.'),
  problems: ['resource.not-found', 'items.not-found', 'action.forbidden', 'item.locked'],
});
