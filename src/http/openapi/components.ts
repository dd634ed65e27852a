import { examples } from './examples.ts';

const text = { type: 'string' };

export const info = {
  title: 'Fieldbell',
  version: '1.0.0',
  summary: 'Locks the data of research studies and reminds their participants.',
  description: [
    'Bodies are JSON in UTF-8; a field that is not documented is refused. Identifiers are 32 lower-case hexadecimal',
    'digits that sort by time; a client may choose those of studies, cases, surveys, responses and devices, which makes',
    'creating them safe to repeat. A resource that the caller may not see answers 404, as if it did not exist. A path',
    'answers a method that it does not take with 405, and lists in `Allow` those that it takes, as it does for OPTIONS;',
    'that needs no token. Errors are problem documents (RFC 9457) with a stable `code`; their `type` leads to a page that',
    'explains the code.',
  ].join(' '),
  license: { name: 'MIT', identifier: 'MIT' },
};

export const tags = [
  { name: 'Users', description: 'Accounts, and the settings that users choose for themselves.' },
  { name: 'Studies', description: 'Investigations and their members.' },
  { name: 'Enrolment', description: 'Codes by which people take part without an account.' },
  { name: 'Changes', description: 'The feed from which copies of a study are kept.' },
  { name: 'Webhooks', description: 'Cursors over the feed that call a receiver.' },
  { name: 'Cases', description: 'The subjects that responses are about.' },
  { name: 'Surveys', description: 'Questions, and when participants are reminded to answer them.' },
  { name: 'Responses', description: 'Answers of participants, with every revision.' },
  { name: 'Locking', description: 'Locking, archiving and deleting items: all or nothing.' },
  { name: 'Activity', description: 'The log of a study: append-only, each entry chained to the one before.' },
  { name: 'Devices', description: 'Phones that receive the reminders.' },
  {
    name: 'Compliance',
    description: 'Reminders and answers of the members of a study, counted, and members who need attention.',
  },
  {
    name: 'Reminders',
    description: 'Past and upcoming reminders, with the reasons of those that were not sent.',
  },
  { name: 'Operations', description: 'For operators of the service.' },
];

const header = (description: string, schema: object = text) => ({ description, schema });

/** One fault of a request: its place, and the expected value. */
const fault = (where: 'pointer' | 'parameter', schema: object) => ({
  type: 'object',
  required: [where, 'detail'],
  additionalProperties: false,
  properties: { [where]: { ...text, ...schema }, detail: text },
});

const problem = {
  type: 'object',
  description: 'RFC 9457',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { ...text, description: 'Leads to a page that explains the code.', pattern: '^/problems/' },
    title: text,
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { ...text, description: 'The error, and the value that was expected.', minLength: 1 },
    code: { ...text, description: 'Stable: clients may switch on it.' },
    errors: {
      type: 'array',
      items: {
        oneOf: [
          fault('pointer', {
            description: 'JSON pointer into the body (RFC 6901).',
            pattern: '^(?:/|$)',
          }),
          fault('parameter', { description: 'A parameter of the query, or a header.' }),
        ],
      },
    },
    bound: { ...text, description: 'With `limit.reached`: the name of the setting.' },
  },
  additionalProperties: false,
};

/** The parts of the document that belong to no route. */
export const components = {
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'A token of the configured OpenID Connect provider.',
    },
    metricsToken: { type: 'http', scheme: 'bearer', description: '`METRICS_TOKEN` of the configuration.' },
  },
  headers: {
    'X-Request-Id': header('Names the request in the log.', { ...text, pattern: '^[0-9a-f]{32}$' }),
    ETag: header('The revision, for `If-Match`.', { ...text, pattern: '^(?:W/)?"[\\x21\\x23-\\x7e]*"$' }),
    Link: header('The address of the next page, if there is one: `<...>; rel="next"` (RFC 8288).'),
    Vary: header('Request headers that the answer depends on.'),
    Location: header('The path of the new resource, or of the page.'),
    Allow: header('The methods that the path takes.'),
    'Cache-Control': header('How long the answer may be cached.'),
    'Content-Security-Policy': header('The sources that the page may load.'),
    'WWW-Authenticate': header('`Bearer`'),
    'Retry-After': header('Seconds to wait.', { type: 'integer', minimum: 0 }),
  },
  parameters: {
    IfNoneMatch: {
      in: 'header',
      name: 'If-None-Match',
      description: "The ETag of the client's copy; while that is current, the answer is 304.",
      schema: text,
    },
    IfMatch: {
      in: 'header',
      name: 'If-Match',
      description: 'The ETag of the revision that the change is based on; a stale one answers 412.',
      schema: text,
      examples: { revision: { value: `"${examples.revision.identifier}"` }, any: { value: '*' } },
    },
  },
  schemas: { Problem: problem },
};
