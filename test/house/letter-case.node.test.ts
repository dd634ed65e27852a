import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/*
 * Unicode's case mapping and normal forms make one text of two: the lower case of the Kelvin sign is k. A text that names
 * a person is compared as it is, or with the letters A-Z folded, as SQLite's lower() does.
 */

const project = join(import.meta.dirname, '../..');

/** The lines of the service that match. */
const linesWith = (pattern: RegExp) =>
  globSync('src/**/*.ts', { cwd: project })
    .toSorted()
    .flatMap((file) =>
      readFileSync(join(project, file), 'utf8')
        .split('\n')
        .filter((line) => pattern.test(line))
        .map(() => file),
    );

test('Unicode maps the case of these alone', () => {
  expect(linesWith(/\.to(?:Locale)?(?:Lower|Upper)Case\(/)).toEqual([
    // The letters A-Z of a local part.
    'src/http/email.ts',
    // Methods of the service's own routes.
    'src/http/openapi/document.ts',
    // The hexadecimal digits of an IPv6 address.
    'src/http/rate-limits.ts',
    // Initials, to look at.
    'src/people/routes/avatar.ts',
    // A region, of Cloudflare.
    'src/platform/cloudflare/delivery-object.ts',
    // A line of /etc/hosts: the address that it gives is checked all the same.
    'src/platform/server/resolve-name.ts',
    // True or false, of Amazon SNS.
    'src/push/sns/endpoints.ts',
    // Language tags, whose letters are A-Z.
    ...Array(2).fill('src/reminders/reminder-shapes.ts'),
    ...Array(3).fill('src/schedule/languages.ts'),
    // Language tags again.
    ...Array(2).fill('src/studies/information-shapes.ts'),
    // Letters and digits at random: none is guessed more easily by another spelling.
    'src/typed-code.ts',
  ]);
});

test('these alone are brought into a normal form', () => {
  expect(linesWith(/\.normalize\(/)).toEqual([
    // Only to refuse an address that has another one.
    'src/http/email.ts',
    // Codes that look the same are one person's.
    'src/http/fields.ts',
    // Letters and digits at random again, of full width.
    'src/typed-code.ts',
  ]);
});

test('no order or pattern of a language folds letters', () => {
  expect(
    linesWith(/localeCompare|Intl\.Collator|\/[gmsyd]*(?:i[gmsyd]*[uv]|[uv][gmsyd]*i)[gmsyd]*[,;.)\]]/),
  ).toEqual([]);
});

test('SQL folds identifiers and language tags, which are ASCII', () => {
  expect(linesWith(/\blower\((?!hex\(randomblob)|\bupper\(|\bnocase\b/i)).toEqual(
    Array(2).fill('src/reminders/state-rows.ts'),
  );
});
