import { faultsIn } from './mutant.ts';

const schemas = ['test/house/bounded-schemas.node.test.ts'];
const watched = ['test/house/bounded-input.node.test.ts'];
const refused = ['test/http/bounds.node.test.ts'];
const addresses = ['test/studies/invitations.test.ts'];

/** Nothing is looked at before its size is known, and nobody's name is taken for another's. */
export const bounded = [
  ...faultsIn('src/http/email.ts', watched, [
    [
      'an address is normalised before its length is bounded',
      'email',
      'bounded(maxCharacters, expected, tooLong)',
      'z.string({ error: expected })',
    ],
  ]),
  ...faultsIn('src/http/fields.ts', schemas, [
    [
      'a code is normalised before its length is bounded',
      'memberCode',
      'bounded(longestTypedCode, expectedCode)',
      'z.string({ error: expectedCode })',
    ],
  ]),
  ...faultsIn('src/http/validation.ts', schemas, [
    ['validation goes on with a text that is too long', 'bounded', 'abort: true', 'abort: false'],
  ]),
  ...faultsIn('src/http/validation.ts', watched, [
    ['keys of any length reach patterns', 'faultyKey', 'key.length > longestKey', 'key.length < 0'],
  ]),
  ...faultsIn('src/http/limit-head.ts', watched, [
    [
      'a route is looked for however long the address',
      'boundedPath',
      'request.url.length > maxAddress',
      'false',
    ],
    ['headers have any length', 'limitHead', 'lengthOf(c.req.header(name)) > maxHeader', 'false'],
  ]),
  ...faultsIn('src/http/body-shape.ts', refused, [
    [
      'lists stand in each other without an end',
      'exceededBound',
      'members.push(1) > maxDepth',
      'members.push(1) < 0',
    ],
    ['a list has any number of values', 'exceededBound', 'count > maxMembers', 'count < 0'],
    ['a body has any number of values', 'exceededBound', 'values > maxValues', 'values < 0'],
  ]),
  ...faultsIn('src/http/json-body.ts', refused, [
    ['nobody in particular may send a mebibyte', 'bodyKiB', "'/enrol/*': 8", "'/enrol/*': 1024"],
  ]),
  ...faultsIn('src/http/auth/authenticate.ts', refused, [
    [
      'a body is read before its token is looked at',
      'createAuth',
      'const [, token] =',
      'await c.req.raw.clone().arrayBuffer();\n    const [, token] =',
    ],
  ]),
  ...faultsIn('src/http/email.ts', addresses, [
    [
      'all letters of an address have two cases',
      'normalEmail',
      'local.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())',
      'local.toLowerCase()',
    ],
    [
      "an address that only looks like another's is taken for a proof",
      'isCompatible',
      "local.normalize('NFKC') === local",
      'local.length >= 0',
    ],
  ]),
  ...faultsIn(
    'src/schedule/languages.ts',
    ['test/schedule/languages.node.test.ts'],
    [
      [
        'the Kelvin sign is a letter of languages',
        'isLanguageTag',
        'if (!/^[a-z0-9-]*$/i.test(tag)) return false;',
        '',
      ],
    ],
  ),
];
