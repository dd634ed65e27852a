import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/*
 * Unicode's case mapping and normal forms make one text of two: the lower case of the Kelvin sign is k. A text that names
 * a person is compared as it is, or with the letters A-Z folded, as SQLite's lower() does.
 */

const project = join(import.meta.dirname, '../..');

test.each([
  [
    'maps the case',
    /\.to(?:Locale)?(?:Lower|Upper)Case\(/,
    [
      'src/http/email.ts', // the letters A-Z of a local part
      'src/http/openapi/document.ts', // methods of the service's own routes
      'src/http/rate-limits.ts', // the hexadecimal digits of an IPv6 address
      'src/people/routes/avatar.ts', // initials, to look at
      'src/platform/cloudflare/delivery-object.ts', // a region
      'src/platform/server/resolve-name.ts', // a line of /etc/hosts, whose address is checked all the same
      'src/push/sns/endpoints.ts', // true or false
      'src/reminders/reminder-shapes.ts', // language tags, whose letters are A-Z, like the next two
      'src/schedule/languages.ts',
      'src/studies/information-shapes.ts',
      'src/typed-code.ts', // letters and digits at random
    ],
  ],
  [
    'makes a normal form',
    /\.normalize\(/,
    [
      'src/http/email.ts', // only to refuse an address that has another one
      'src/http/fields.ts', // codes that look the same are one person's
      'src/typed-code.ts', // letters and digits at random, of full width
    ],
  ],
  [
    'folds letters by a language',
    /localeCompare|Intl\.Collator|\/[gmsyd]*(?:i[gmsyd]*[uv]|[uv][gmsyd]*i)[gmsyd]*[,;.)\]]/,
    [],
  ],
  [
    'folds letters by SQL',
    /\blower\((?!hex\(randomblob)|\bupper\(|\bnocase\b/i,
    ['src/reminders/state-rows.ts'], // identifiers and language tags, which are ASCII
  ],
])('no other source %s', (_, pattern, files) => {
  const sources = globSync('src/**/*.ts', { cwd: project });
  expect(sources.filter((file) => pattern.test(readFileSync(join(project, file), 'utf8'))).sort()).toEqual(
    files,
  );
});
