import { InputError } from './errors.ts';
import type { InboxEntry, Push, State } from './state.ts';

export interface InboxFilter {
  /** Milliseconds since the epoch; a push of that very moment is included. */
  since?: number;
  token?: string;
}

/** What was pushed, duplicates included. */
export interface Inbox {
  /** Oldest first. */
  list(filter?: InboxFilter): InboxEntry[];
  clear(): void;
}

/** The inbox of a state. */
export function createInbox(state: State): Inbox {
  return {
    list: ({ since = Number.NEGATIVE_INFINITY, token } = {}) =>
      state.pushes
        .filter((push) => Date.parse(push.at) >= since && (token === undefined || push.token === token))
        .map(inboxEntry),
    clear: () => state.clearPushes(),
  };
}

/** Reads `?since=<ISO 8601>&token=<token>`. */
export function parseInboxFilter(query: URLSearchParams): InboxFilter {
  const filter: InboxFilter = {};
  for (const [name, value] of query) {
    if (name === 'token') filter.token = value;
    else if (name === 'since') filter.since = parseTime(value);
    else throw new InputError(`Unknown parameter ${name}: expected since or token.`);
  }
  return filter;
}

function parseTime(value: string): number {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(value)
    ? Date.parse(value)
    : Number.NaN;
  if (Number.isNaN(time)) {
    throw new InputError(`since must be an ISO 8601 time such as 2026-01-31T09:00:00.000Z, not '${value}'.`);
  }
  return time;
}

function inboxEntry({ collapseId: _, ...entry }: Push): InboxEntry {
  return entry;
}
