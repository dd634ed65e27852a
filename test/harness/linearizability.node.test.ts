import { describe, expect, test } from 'vitest';
import { isLinearizable, type Operation, published } from '../support/linearizability.ts';
import { initialState, type LockOp, step } from '../support/lock-model.ts';

/** Operations as [began, ended, op]; ended 0: never. */
const history = (...ops: [began: number, ended: number, op: LockOp][]): Operation<LockOp>[] =>
  ops.map(([began, ended, op], n) => ({ client: `c${n}`, op, began, ended: ended || Infinity }));
const check = (some: Operation<LockOp>[]) => isLinearizable(some, initialState(['a']), step);

const edit = (label: string, answer: 'ok' | 'item.locked' | 'study.frozen' | 'lost' = 'ok'): LockOp => ({
  kind: 'edit',
  case: 0,
  label,
  answer,
});
const create = (answer: 'ok' | 'item.locked' | 'lost' = 'ok'): LockOp => ({
  kind: 'create',
  case: 0,
  response: 'r',
  answer,
});
const read = (label: string, locked = false): LockOp => ({
  kind: 'read',
  case: 0,
  answer: { label, locked },
});
const lock: LockOp = { kind: 'lock', case: 0, answer: 'ok' };
const freeze: LockOp = { kind: 'freeze', answer: 'ok' };
const all = (kind: 'lock-all' | 'unlock-all', answer: 'ok' | 'study.frozen' = 'ok'): LockOp => ({
  kind,
  answer,
});

describe('histories that an order explains', () => {
  test.each<[string, Operation<LockOp>[]]>([
    [
      'one after the other',
      history([1, 2, edit('b')], [3, 4, lock], [5, 6, edit('c', 'item.locked')], [7, 8, read('b', true)]),
    ],
    [
      'an edit that overlaps the lock, before it',
      history([1, 4, lock], [2, 5, edit('b')], [6, 7, read('b', true)]),
    ],
    [
      'an edit that overlaps the lock, after it',
      history([1, 4, lock], [2, 5, edit('b', 'item.locked')], [6, 7, read('a', true)]),
    ],
    ['a lost edit that happened', history([1, 0, edit('b', 'lost')], [2, 3, read('a')], [4, 5, read('b')])],
    ['a lost edit that did not', history([1, 0, edit('b', 'lost')], [2, 3, lock], [4, 5, read('a', true)])],
    ['a creation repeated under a lock', history([1, 0, create('lost')], [2, 3, lock], [4, 5, create()])],
    [
      'a lock by filter, and its end',
      history([1, 2, all('lock-all')], [3, 4, read('a', true)], [5, 6, all('unlock-all')], [7, 8, edit('b')]),
    ],
    [
      'a lock by filter that finds nothing in a frozen study, and one that does',
      history([1, 2, freeze], [3, 4, all('unlock-all')], [5, 6, all('lock-all', 'study.frozen')]),
    ],
    ['a freeze', history([1, 2, freeze], [3, 4, edit('b', 'study.frozen')], [5, 6, read('a')])],
  ])('%s', (_, some) => expect(check(some)).toBe(true));
});

describe('histories that no order explains', () => {
  test.each<[string, Operation<LockOp>[]]>([
    ['an edit after the answer of the lock', history([1, 2, lock], [3, 4, edit('b')])],
    ['an edit after the answer of a lock by filter', history([1, 2, all('lock-all')], [3, 4, edit('b')])],
    ['an item that a lock by filter left out', history([1, 2, all('lock-all')], [3, 4, read('a')])],
    ['a lock by filter in a frozen study', history([1, 2, freeze], [3, 4, all('lock-all')])],
    ['an edit after the answer of the freeze', history([1, 2, freeze], [3, 4, edit('b')])],
    [
      'an edit that is seen in what was locked',
      history([1, 2, lock], [3, 4, read('a', true)], [5, 6, read('b', true)]),
    ],
    ['an answered edit that is not there', history([1, 2, edit('b')], [3, 4, read('a')])],
    ['two reads that go back in time', history([1, 10, edit('b')], [2, 3, read('b')], [4, 5, read('a')])],
    ['a refusal without a lock', history([1, 2, edit('b', 'item.locked')])],
    ['a new response after the lock', history([1, 2, lock], [3, 4, create()])],
    [
      'a lost edit that happens after the lock was seen without it, and stays',
      history([1, 2, lock], [3, 0, edit('b', 'lost')], [4, 5, read('b', true)]),
    ],
  ])('%s', (_, some) => {
    expect(check(some)).toBe(false);
    expect(published(some).split('\n')).toHaveLength(some.length);
  });
});
