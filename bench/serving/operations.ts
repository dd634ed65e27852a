import { ids } from '../support/study-rows.ts';

/** In the study that is read. */
export const responses = 10_000;
export const connections = 8;
export const itemsPerLock = 100;

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
}

/**
 * The requests that each connection repeats in order. Locks and unlocks alternate, so that each changes a hundred items
 * and writes an entry; each connection has its own study, so that no two write to one study's log.
 */
const operations = {
  'lock 100 items': (connection: number) =>
    ['locked', 'unlocked'].map((status) => lock(connection + 1, status)),
  'a page of 100': () => [get(`/investigation/${ids.study(0)}/responses?limit=100`)],
  'one response': (connection: number) =>
    Array.from({ length: 100 }, (_, n) =>
      get(`/response/${ids.response(0, (connection * 1237 + n * 89) % responses)}`),
    ),
  'a list of 10,000': () => [get(`/investigation/${ids.study(0)}/responses`)],
} as const satisfies Record<string, (connection: number) => Request[]>;

export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations) as OperationName[];

/** Of each connection. One request for a long list keeps a server busy, so it has fewer. */
export const requestsOf = (name: OperationName): Request[][] =>
  Array.from({ length: name === 'a list of 10,000' ? 2 : connections }, (_, n) => operations[name](n));

const get = (path: string): Request => ({ method: 'GET', path });

function lock(study: number, status: string): Request {
  const items = Array.from({ length: itemsPerLock }, (_, n) => ({ identifier: ids.response(study, n) }));
  return {
    method: 'POST',
    path: `/investigation/${ids.study(study)}/lock-items`,
    body: JSON.stringify({ responses: items, status }),
  };
}
