import { Hono } from 'hono';
import { ndjson } from '../../http/accept.ts';
import { requireSelf } from '../../http/auth/require-self.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { iso } from '../../http/fields.ts';
import { firstPage, type Page, streamRows } from '../../http/lists/streaming.ts';
import { documented } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { exportKinds } from '../export-kinds.ts';
import { type ExportedRow, type ExportPosition, readExport } from '../exports.ts';

/** The first line: the kinds of the lines that follow, and what their fields mean. */
const contents = (user: string, now: number) => ({
  kind: 'contents',
  user,
  at: iso(now),
  kinds: Object.fromEntries(
    exportKinds.map(({ kind, description, fields }) => [
      kind,
      {
        description,
        fields: Object.fromEntries(Object.entries(fields).map(([name, { means }]) => [name, means])),
      },
    ]),
  ),
});

const line = (row: object) => `${JSON.stringify(row)}\n`;

const example = [
  { kind: 'contents', user: examples.responder.identifier, at: '2027-03-15T14:00:00.000Z', kinds: {} },
  {
    kind: 'membership',
    investigation: examples.study.identifier,
    name: examples.study.name,
    role: 'responder',
  },
];

export const userExport = new Hono<Env>().get(
  '/user/:id/export',
  documented({
    id: 'exportUser',
    tag: 'Users',
    summary: 'Exports everything that is stored about the caller',
    description:
      'One JSON object per line, streamed. The first one, of kind `contents`, says which kinds follow and what their fields mean. Secrets, other people, and deleted data that waits for its purge are left out.',
    answers: {
      200: {
        description: 'The contents, then everything, by kind.',
        also: { [ndjson]: { schema: { type: 'string' }, example: example.map(line).join('') } },
      },
    },
    problems: ['resource.not-found', 'action.forbidden'],
  }),
  async (c) => {
    const context = contextOf(c);
    const user = await requireSelf(context, c.req.param('id'));
    const page = async (position: ExportPosition): Promise<Page<ExportedRow>> => {
      const { rows, next } = await readExport(context, position);
      return { rows, more: next && (() => page(next)) };
    };
    const first = await firstPage(c, () => page({ kind: 0, after: null }), { isLong: true });
    const head = line(contents(user, context.now));
    return c.body(streamRows(c, first, { head, row: (row) => line(withInstants(row)), tail: '' }), 200, {
      'content-type': ndjson,
    });
  },
);

const withInstants = (row: ExportedRow) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      /(?:At|Until)$/.test(name) && typeof value === 'number' ? iso(value) : value,
    ]),
  );
