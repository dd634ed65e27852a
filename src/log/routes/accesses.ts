import { Hono } from 'hono';
import * as z from 'zod';
import { invalidParameter } from '../../errors.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { date, iso } from '../../http/fields.ts';
import { cursor, cutPage, linkNext } from '../../http/lists/paging.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { at, code, id, next as nextCursor, uri } from '../../http/openapi/shapes.ts';
import { count, identifier, query } from '../../http/validation.ts';
import { roles } from '../../permissions/roles.ts';
import { dateOf, dayOf } from '../../schedule/days.ts';
import { type Access, listAccesses } from '../accesses.ts';

const accessQuery = z.strictObject({
  from: date.optional(),
  to: date.optional().meta({ description: 'By default today; 28 days in all.' }),
  limit: count(50, 50),
  cursor: cursor(z.tuple([identifier])).optional(),
});

const day = date.meta({ description: 'A day by UTC.' });
const person = z.strictObject({
  user: id,
  name: z.string(),
  code,
  roles: z.array(
    z.strictObject({
      role: z.enum(roles),
      since: at.nullable().meta({ description: 'Null: before the 200 newest entries about the membership.' }),
      until: at.nullable().meta({ description: 'Null: still.' }),
    }),
  ),
  days: z.array(
    z.strictObject({
      day,
      firstAt: at.meta({ description: 'The first request of the day, or a later one of the same day.' }),
    }),
  ),
});
const accessList = z
  .strictObject({
    investigation: uri('investigation'),
    from: day,
    to: day,
    people: z.array(person),
    next: nextCursor,
  })
  .meta({ id: 'Accesses' });

const maxDays = 366;
const defaultDays = 28;

export const accesses = new Hono<Env>().get(
  '/investigation/:id/access',
  documented({
    id: 'listAccesses',
    tag: 'Activity',
    summary: 'Lists who had which role when, and who looked on which day',
    description:
      'For owners. Everybody who is or was an owner or editor, with the roles that the log gave and took, and the days of the period, at most 366, on which they made requests about the study. A day is kept as long as the study, and goes with its person. Days of responders are not kept.',
    answers: {
      200: json(
        'By identifier of the user.',
        accessList,
        {
          investigation: `investigation/${examples.study.identifier}`,
          from: '2027-02-16',
          to: '2027-03-15',
          people: [
            {
              user: examples.editor.identifier,
              name: examples.editor.name,
              roles: [{ role: 'editor', since: '2027-03-01T08:00:00.000Z', until: null }],
              days: [{ day: '2027-03-15', firstAt: '2027-03-15T13:58:12.000Z' }],
            },
          ],
        },
        ['Link'],
      ),
    },
    problems: ['resource.not-found', 'action.forbidden'],
  }),
  query(accessQuery),
  async (c) => {
    const context = contextOf(c);
    const study = c.req.param('id');
    const { limit, cursor: after, ...given } = c.req.valid('query');
    const period = periodOf(given, context.now);
    const found = await listAccesses(context, study, { ...period, limit, after: after?.[0] });
    const { rows, next } = cutPage(found, limit, (row) => [row.user]);
    linkNext(c, next);
    const list: z.input<typeof accessList> = {
      investigation: `investigation/${study}`,
      ...period,
      people: rows.map(toPerson),
      ...(next && { next }),
    };
    return c.json(list);
  },
);

/** @throws request.invalid */
function periodOf(given: { from?: string | undefined; to?: string | undefined }, now: number) {
  const to = given.to ?? iso(now).slice(0, 10);
  const from = given.from ?? dateOf(Math.max(firstDay, dayOf(to) - defaultDays + 1));
  const days = dayOf(to) - dayOf(from) + 1;
  if (days < 1) throw invalidParameter('from', `Expected \`from\` not to be after ${to}.`);
  if (days > maxDays)
    throw invalidParameter('from', `Expected at most ${maxDays} days, both included, not ${days}.`);
  return { from, to };
}

const firstDay = dayOf('0000-01-01');

const instant = (at: number | null) => (at === null ? null : iso(at));

const toPerson = ({ user, name, code, roles, days }: Access): z.input<typeof person> => ({
  user,
  name: name ?? '',
  ...(code !== null && { code }),
  roles: roles.map(({ role, since, until }) => ({ role, since: instant(since), until: instant(until) })),
  days: days.map(([day, firstAt]) => ({ day, firstAt: iso(firstAt) })),
});
