import { expect, test } from 'vitest';
import { devices } from './scenarios/devices.ts';
import { document } from './scenarios/document.ts';
import { identity } from './scenarios/identity.ts';
import { lists } from './scenarios/lists.ts';
import { locking } from './scenarios/locking.ts';
import { visibility } from './scenarios/visibility.ts';
import { expectAgreement } from './support/agreement.ts';

/* Everything that needs no waiting; `reminders.slow.test.ts` has the rest. */
const seen = expectAgreement({ document, identity, visibility, locking, lists, devices });

test('the scenarios met every kind of answer', () => {
  const expected = [200, 201, 202, 204, 400, 401, 403, 404, 409, 412, 413, 415, 423, 503];
  expect(expected.filter((status) => !seen.has(status))).toEqual([]);
});
