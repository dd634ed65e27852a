import { expect, test } from 'vitest';
import { type Choice, occurrencesOf, queryOf } from '../../console/features/downloads/file-query.ts';

const filters = {
  responses: { status: 'active', survey: 'old', include: 'lock' },
  occurrences: { code: 'P-017' },
};
const chosen = (choice: Partial<Choice>) =>
  queryOf(
    { file: 'responses', survey: '', from: '', to: '', hasLabels: true, hasColumns: true, ...choice },
    filters,
  );

test('a file has the filters of the screen, and those of the answers that the service takes', () => {
  expect(chosen({})).toEqual({ status: 'active', include: 'lock', labels: 'true' });
  expect(chosen({ survey: 's1' })).toEqual({
    status: 'active',
    include: 'lock',
    survey: 's1',
    labels: 'true',
    choices: 'columns',
  });
  expect(chosen({ file: 'occurrences', from: '2027-03-01' })).toEqual({ code: 'P-017', from: '2027-03-01' });
  expect(chosen({ file: 'occurrences', survey: 's1', hasColumns: false })).toEqual({
    code: 'P-017',
    survey: 's1',
    labels: 'true',
  });
  expect(chosen({ file: 'codebook', survey: 's1' })).toEqual({});
});

test('dates that were emptied in the dialog are no longer those of the screen', () => {
  const screen = { occurrences: { from: '2027-01-01', to: '2027-02-01', code: 'P-017' } };
  const emptied = { survey: '', from: '', to: '', hasLabels: false, hasColumns: false };
  expect(queryOf({ file: 'occurrences', ...emptied }, screen)).toEqual({ code: 'P-017' });
});

test('a filter of another list is left out', () => {
  expect(occurrencesOf({ attention: 'silent', survey: 's1', code: '' })).toEqual({ survey: 's1' });
});
