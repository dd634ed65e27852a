import { expect, test } from 'vitest';
import { createChecker, type Exchange } from './checker.ts';
import { readDocument } from './document.ts';

const check = createChecker((await readDocument()).document);
const id = '0198c1a4f3b27d3c9a51e07c4d2b8f60';
const one = {
  identifier: id,
  uri: `case/${id}`,
  creation: '2027-03-01T20:30:00.000Z',
  label: 'Night 1',
  hidden: false,
  revisionIdentifier: id,
  editedAt: 1_800_000_000,
  creatorIdentifier: id,
  creatorNames: 'Ada',
  creatorAvatar: `/user/${id}/avatar`,
  status: 'active',
};
const etag = `"${id}"`;

const answer = (body: object, change: Partial<Exchange> = {}): Exchange => ({
  method: 'GET',
  path: `/case/${id}`,
  status: 200,
  headers: { 'content-type': 'application/json', etag },
  body: JSON.stringify(body),
  ...change,
});
const problem = (status: number, code: string, path = `/case/${id}`) =>
  answer(
    { type: `/problems/${code}`, title: 'x', status, detail: 'x', code },
    { path, status, headers: { 'content-type': 'application/problem+json' } },
  );
const { status: _, ...locked } = { ...one, lockedAt: '2027-03-01T20:30:00.000Z' };

test.each([
  ['an active case', answer(one)],
  ['a locked case', answer(locked)],
  ['a case that is not found', problem(404, 'resource.not-found')],
  ['a route that is not there', problem(404, 'resource.not-found', '/nowhere')],
])('%s is in the document', (_name, exchange) => {
  expect(check(exchange)).toEqual([]);
});

test.each([
  ['a field too many', answer({ ...one, secret: 'x' })],
  ['a field too few', answer({ ...one, label: undefined })],
  ['a field of another type', answer({ ...one, editedAt: 'yesterday' })],
  ['an identifier that is none', answer({ ...one, identifier: 'x' })],
  ['a time without milliseconds', answer({ ...one, creation: '2027-03-01' })],
  ['both states of a lock', answer({ ...one, lockedAt: '2027-03-01T20:30:00.000Z' })],
  ['neither state of a lock', answer({ ...one, status: undefined })],
  ['a status that no route has', answer(one, { status: 418 })],
  ['another content type', answer(one, { headers: { 'content-type': 'text/plain', etag } })],
  ['no ETag', answer(one, { headers: { 'content-type': 'application/json' } })],
  ['a code of another route', problem(404, 'items.not-found')],
  ['a code of another status', problem(404, 'action.forbidden')],
  ['a body where there is none', answer(one, { method: 'DELETE', path: `/device/${id}`, status: 204 })],
  ['success where no route is', answer(one, { path: '/nowhere' })],
])('%s is not', (_name, exchange) => {
  expect(check(exchange)).not.toEqual([]);
});
