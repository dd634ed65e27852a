import { api, type Study, slowApi } from '../../api.ts';
import type { Grouped, PropertyRule } from '../../groups.ts';
import { may } from '../../roles.ts';
import type { Kind } from './item-kinds.ts';
import { policyOf, someUnlock } from './lock-policy.ts';

/** The changes of items, each with its reverse. */
export const changes = {
  lock: { route: 'lock-items', status: 'locked', undo: 'unlock', isSigned: true },
  unlock: { route: 'lock-items', status: 'unlocked', undo: 'lock', isSigned: true },
  archive: { route: 'archive-items', status: 'archived', undo: 'unarchive', isSigned: false },
  unarchive: { route: 'archive-items', status: 'active', undo: 'archive', isSigned: false },
  delete: { route: 'delete-items', status: 'deleted', undo: 'restore', isSigned: false },
  restore: { route: 'delete-items', status: 'active', undo: 'delete', isSigned: false },
} as const;
export type Change = keyof typeof changes;

/** Whether the person whose study this is may unlock items that they see. */
export const mayUnlock = (study: Study, items: readonly Grouped[]) =>
  may(study, 'own') || policyOf(study.lockPolicy, items).unlock === 'viewers';

/** Whether the person may unlock items of some group. */
export const mayUnlockSome = (study: Study) => may(study, 'own') || someUnlock(study.lockPolicy);

/** Most identifiers in one request; the service changes all or none. */
export const maxItems = 1000;

/** The reason and the signature of a change. */
export interface Statement {
  reason?: string;
  signature?: { meaning: string };
}

/** One request: all of the items, or none. @throws ProblemError */
export async function changeItems(
  study: string,
  change: Change,
  kind: Kind,
  ids: readonly string[],
  statement: Statement = {},
): Promise<void> {
  const param = { id: study };
  const items = { [kind]: ids.map((identifier) => ({ identifier })) };
  const { reason } = statement;
  const json = { ...items, ...(reason && { reason }) };
  const routes = api.investigation[':id'];
  const { route, status } = changes[change];
  if (route === 'lock-items') await routes[route].$post({ param, json: { ...json, ...statement, status } });
  else if (route === 'archive-items') await routes[route].$post({ param, json: { ...json, status } });
  else await routes[route].$post({ param, json: { ...json, status } });
}

/** The filter of `lock-matching`. */
export interface MatchingFilter {
  kinds: Kind[];
  survey?: string;
  case?: string;
  responder?: string;
  properties?: PropertyRule;
  /** Unix seconds. */
  since?: number;
  before?: string;
}

/** Locks or unlocks all items that match; with `dryRun` only counts them. @throws ProblemError */
export async function lockMatching(
  study: string,
  {
    status,
    filter,
    dryRun,
    ...statement
  }: Statement & {
    status: 'locked' | 'unlocked';
    filter: MatchingFilter;
    dryRun: boolean;
  },
): Promise<{ cases: number; responses: number; activity?: string | undefined }> {
  const answer = await slowApi.api.investigation[':id']['lock-matching'].$post({
    param: { id: study },
    json: { status, filter, dryRun, ...statement },
  });
  return answer.json();
}
