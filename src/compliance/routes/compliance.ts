import { Hono } from 'hono';
import * as z from 'zod';
import { firstSlice } from '../../breathe.ts';
import type { Context } from '../../context.ts';
import { invalidParameter } from '../../errors.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { date, memberCode } from '../../http/fields.ts';
import { cursor, cutPage, linkNext } from '../../http/lists/paging.ts';
import { listQuery, mark, property } from '../../http/lists/query.ts';
import { listResponse, wantsFile } from '../../http/lists/response.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import * as shapes from '../../http/openapi/shapes.ts';
import { count, identifier, query } from '../../http/validation.ts';
import { recordExport } from '../../log/recorded-downloads.ts';
import type { Property } from '../../permissions/groups.ts';
import { dateOf, dayOf } from '../../schedule/days.ts';
import { listCompliance, listParticipantDays, readDailyCompliance, readLatestDate } from '../compliance.ts';
import { nothing } from '../counts.ts';
import { countParticipants } from '../pages.ts';
import {
  attention,
  csvOf,
  dailyBody,
  exampleCounts,
  exampleDays,
  exampleHead,
  listBody,
  participantDaysBody,
  time,
  toParticipant,
  toParticipantDays,
} from '../shapes.ts';

const tag = 'Compliance';

const filterQuery = { from: date.optional(), to: date.optional(), survey: identifier.optional(), property };

const ofParticipants = {
  code: memberCode.optional().meta({ description: 'Only the member with this code, or nobody.' }),
  attention: attention.optional(),
  time: time.optional().meta({ description: 'Only those before, in or after their time.' }),
  cursor: cursor(z.tuple([identifier])).optional(),
};
const onlyOne = 'Expected no `attention` beside `user` or `code`: the answer has it.';

const exampleParticipant: z.input<typeof listBody>['participants'][number] = {
  user: examples.responder.identifier,
  name: examples.responder.name,
  ...exampleCounts,
  lastAnsweredAt: '2027-03-25T07:02:18.000Z',
  lastSeenAt: '2027-03-01T08:00:00.000Z',
  reachable: true,
  attention: ['silent'],
};

const description =
  "A date is the participant's own, on which a reminder was due where they were. By default the period has 28 dates, and ends today in the study's zone, or on a later date that has begun for a participant ahead of that zone and has counts. Counts cover reminders that are settled by now: sent, failed or skipped.";

export const compliance = new Hono<Env>()
  .get(
    '/investigation/:id/compliance',
    documented({
      id: 'listCompliance',
      tag,
      summary: 'Lists the compliance of the participants of a study, and who needs attention',
      description: `For owners, editors and monitors. ${description} \`totals\` cover everyone whom the caller sees, former participants included, whatever the page and \`attention\`. With \`property\` they count each reminder for the group that its person was in when it was due, and the list has those who are in it now. \`attention\` has the reasons that hold now, whatever the period: \`unreachable\`, no device can be pushed to; \`paused\`; \`silent\`, the last three reminders of a survey that is for the member were not answered; \`never-downloaded\`, no survey of the study was downloaded; \`date-missing\`, reminders count from a date that the member does not have. Nobody needs attention whose time is over. Every responder takes part, and owners and editors with a phone or a download of the study. With \`user\` only that member is listed, or nobody if they take no part; a user who is not a member is 404. In pages of 100 by default, as CSV, or as NDJSON (a row in JSON a line), all at once; CSV has a column for each reason to skip, such as \`skipped_answered\`. A download as CSV is an entry of the activity log, \`data.exported\`.`,
      answers: {
        200: {
          ...json(
            'By identifier of the user.',
            listBody,
            {
              ...exampleHead,
              totals: exampleCounts,
              participants: [exampleParticipant],
            },
            ['Link', 'Vary'],
          ),
          also: shapes.files(
            'user,name,due,sent,failed,shown,opened,answered,...,skipped_answered,skipped_paused,...\r\n',
            exampleParticipant,
          ),
        },
      },
      problems: ['resource.not-found', 'action.forbidden', 'limit.reached'],
    }),
    query(
      z.strictObject({
        ...filterQuery,
        user: identifier.optional(),
        ...ofParticipants,
        limit: listQuery.limit,
        mark,
      }),
    ),
    async (c) => {
      const { limit, cursor, mark, user, code, attention, time, ...filter } = c.req.valid('query');
      if ((user ?? code) !== undefined && attention !== undefined)
        throw invalidParameter('attention', onlyOne);
      if (user !== undefined && code !== undefined)
        throw invalidParameter('code', 'Expected no `code` beside `user`.');
      const context = contextOf(c);
      const investigation = c.req.param('id');
      const asked = { investigation, ...filter, ...(await periodOf(context, investigation, filter)) };
      const isFile = wantsFile(c);
      let [totals, end, known]: [typeof nothing, string?, (readonly Property[])?] = [nothing];
      return listResponse(
        c,
        { limit: limit ?? (isFile ? undefined : 100), cursor, mark },
        {
          read: async (after, size) => {
            const page = await listCompliance(context, asked, {
              user,
              code,
              attention,
              time,
              after: after?.[0],
              limit: size,
              totals: !isFile,
            });
            [totals, end, known] = [page.totals, page.end, page.known];
            return page.rows;
          },
          key: ({ user }): [string] => [user],
          end: () => (end === undefined ? undefined : [end]),
          // Spread, so that the client's types name no file of the server.
          head: () => ({ ...headOf(asked), totals: { ...totals } }),
          name: 'participants',
          json: (row) => toParticipant(row, context.now),
          download: ({ format, rows }) => {
            const page = { user, code, attention, time };
            return recordExport(contextOf(c), investigation, {
              data: 'compliance',
              format,
              filter: { ...filter, from: asked.from, to: asked.to, user, attention, time },
              code,
              count: rows === undefined ? countParticipants(context, asked, page) : () => rows,
            });
          },
          csv: () => csvOf(context.now, known ?? []),
        },
      );
    },
  )
  .get(
    '/investigation/:id/compliance/daily',
    documented({
      id: 'readDailyCompliance',
      tag,
      summary: 'Shows how a study complied, day by day',
      description: `For owners, editors and monitors. ${description}`,
      answers: {
        200: json('Each date of the period.', dailyBody, {
          ...exampleHead,
          days: [{ date: '2027-03-01', ...exampleCounts }],
        }),
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    query(z.strictObject(filterQuery)),
    async (c) => {
      const filter = c.req.valid('query');
      const context = contextOf(c);
      const investigation = c.req.param('id');
      const asked = { investigation, ...filter, ...(await periodOf(context, investigation, filter)) };
      const found = await readDailyCompliance(context, asked);
      const days = datesOf(asked).map((date) => ({ date, ...(found.get(date) ?? nothing) }));
      const body: z.input<typeof dailyBody> = { ...headOf(asked), days };
      return c.json(body);
    },
  )
  .get(
    '/investigation/:id/compliance/daily/participants',
    documented({
      id: 'listParticipantDays',
      tag,
      summary: 'Lists how each participant of a study complied, day by day',
      description: `For owners, editors and monitors. ${description} Each list of numbers has one for every date from \`from\` to \`to\`. Pages have as many participants as their days allow: about 25 with a year each.`,
      answers: {
        200: json('By identifier of the user.', participantDaysBody, exampleDays, ['Link']),
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    query(
      z.strictObject({
        ...filterQuery,
        ...ofParticipants,
        limit: count(1000, 100),
      }),
    ),
    async (c) => {
      const { limit, cursor: after, code, attention, time, ...filter } = c.req.valid('query');
      if (code !== undefined && attention !== undefined) throw invalidParameter('attention', onlyOne);
      const context = contextOf(c);
      const investigation = c.req.param('id');
      const asked = { investigation, ...filter, ...(await periodOf(context, investigation, filter)) };
      await firstSlice();
      const page = { code, attention, time, after: after?.[0], limit };
      const { rows: found, end } = await listParticipantDays(context, asked, page);
      const { rows, next } = cutPage(found, limit, ({ user }) => [user], end === undefined ? end : [end]);
      linkNext(c, next);
      const dates = datesOf(asked);
      const body: z.input<typeof participantDaysBody> = {
        ...headOf(asked),
        participants: rows.map((row) => toParticipantDays(row, dates)),
        ...(next && { next }),
      };
      return c.json(body);
    },
  );

interface Period {
  from: string;
  to: string;
}

const headOf = ({ investigation, from, to }: Period & { investigation: string }) => ({
  investigation: `investigation/${investigation}`,
  from,
  to,
});

const maxDays = 366;
const defaultDays = 28;
const firstDay = dayOf('0000-01-01');

/** The requested dates; the default ends with the latest of the study. @throws request.invalid */
async function periodOf(
  context: Context,
  investigation: string,
  given: { from?: string | undefined; to?: string | undefined },
): Promise<Period> {
  const to = given.to ?? (await readLatestDate(context, investigation));
  const from = given.from ?? dateOf(Math.max(firstDay, dayOf(to) - defaultDays + 1));
  const days = dayOf(to) - dayOf(from) + 1;
  const expected =
    days < 1
      ? `Expected \`from\` not to be after ${given.to ? '`to`' : `the latest date, ${to}`}.`
      : `Expected at most ${maxDays} days, both dates included, not ${days}.`;
  if (days < 1 || days > maxDays)
    throw invalidParameter(days > 1 && given.to !== undefined ? 'to' : 'from', expected);
  return { from, to };
}

const datesOf = ({ from, to }: Period) =>
  Array.from({ length: dayOf(to) - dayOf(from) + 1 }, (_, n) => dateOf(dayOf(from) + n));
