import { type AnswerOf, api } from '../../api.ts';

const study = api.investigation[':id'];
export type Case = AnswerOf<typeof study.cases.$get>['cases'][number];
/** With the properties of its case. */
export type Response = AnswerOf<typeof study.responses.$get>['responses'][number];

/** The kinds of items, which are locked, archived and deleted. */
export type Kind = 'cases' | 'responses';

/** The fields of both kinds that hold their state. */
export type ItemState = Pick<Case, 'lockedAt' | 'status' | 'lockSignature' | 'lock' | 'properties'>;

export const isKind = (text: string | undefined): text is Kind => text === 'cases' || text === 'responses';

/** The filter by state, as the service has it. */
export const stateFilters = {
  active: { status: 'active' },
  open: { status: 'active', locked: 'false' },
  locked: { status: 'all', locked: 'true' },
  archived: { status: 'archived' },
  deleted: { status: 'deleted' },
} as const;
export type StateFilter = keyof typeof stateFilters;

/** The action of a lock by filter that begins from such a list. No filter finds archived or deleted items alone. */
export const matchingOf: Partial<Record<StateFilter, 'locked' | 'unlocked'>> = {
  active: 'locked',
  open: 'locked',
  locked: 'unlocked',
};

export const isStateFilter = (text: string | undefined): text is StateFilter =>
  text !== undefined && Object.hasOwn(stateFilters, text);
