import * as z from 'zod';
import { iso } from '../http/fields.ts';
import { examples } from '../http/openapi/examples.ts';
import { at, date, id, uri } from '../http/openapi/shapes.ts';
import { grouped } from './codes.ts';
import type { Enrolment } from './enrolments.ts';
import { recentUses } from './uses-by-hour.ts';

export const enrolment = z
  .strictObject({
    uri: uri('/enrolment'),
    identifier: id,
    investigation: uri('investigation'),
    number: z.int().optional().meta({
      description: 'Counts from 1 in each study. Codes that give a participant a new token have none.',
    }),
    label: z.string().optional(),
    code: z.string().meta({ examples: ['7M2K-9QXB-4TWD'] }),
    url: z.string().meta({ description: "The participant's page, with the code in its fragment." }),
    dates: z
      .record(z.string(), date)
      .optional()
      .meta({ description: 'The dates of the people who enrol by it.' }),
    participation: z
      .strictObject({ from: date.optional(), until: date.optional() })
      .optional()
      .meta({ description: 'The time in the study of the people who enrol by it.' }),
    properties: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'The properties of the people who enrol by it.', examples: [{ site: 'lyon' }] }),
    uses: z.int(),
    used: z.int(),
    usesByHour: z.array(z.strictObject({ hour: at, uses: z.int() })).meta({
      description: 'Of the last 48 hours, those in which the code was used: each by its beginning.',
    }),
    state: z.enum(['open', 'used', 'expired', 'ended']),
    createdAt: at,
    expiresAt: at.optional(),
    endedAt: at.optional(),
    user: uri('/user')
      .optional()
      .meta({ description: 'The participant to whom the code gives a new token; other codes have none.' }),
  })
  .meta({ id: 'Enrolment' });

export const enrolmentExample: z.input<typeof enrolment> = {
  uri: '/enrolment/01a3b8512f6e7a0c8d1e2b3c4d5e6f70',
  identifier: '01a3b8512f6e7a0c8d1e2b3c4d5e6f70',
  investigation: `investigation/${examples.study.identifier}`,
  number: 1,
  label: 'Ward 3',
  code: '7M2K-9QXB-4TWD',
  url: 'https://fieldbell.example.org/p/#7M2K-9QXB-4TWD',
  uses: 40,
  used: 17,
  usesByHour: [
    { hour: '2027-02-22T09:00:00.000Z', uses: 12 },
    { hour: '2027-02-22T10:00:00.000Z', uses: 5 },
  ],
  state: 'open',
  createdAt: '2027-02-22T09:30:00.000Z',
  expiresAt: '2027-04-01T00:00:00.000Z',
};

/** The participant's page with a code, on this origin. */
export const pageOf = (origin: string, { code }: Pick<Enrolment, 'code'>) => `${origin}/p/#${grouped(code)}`;

export const toEnrolment = (row: Enrolment, origin: string, now: number): z.input<typeof enrolment> => ({
  uri: `/enrolment/${row.id}`,
  identifier: row.id,
  investigation: `investigation/${row.investigationId}`,
  ...(row.number !== null && { number: row.number }),
  ...(row.label !== null && { label: row.label }),
  code: grouped(row.code),
  url: pageOf(origin, row),
  ...(row.dates && { dates: row.dates }),
  ...(row.participation && { participation: row.participation }),
  ...(row.properties && { properties: { ...row.properties } }),
  uses: row.uses,
  used: row.used,
  usesByHour: recentUses(row.usesByHour, now).map(({ at, uses }) => ({ hour: iso(at), uses })),
  state: stateOf(row, now),
  createdAt: iso(row.createdAt),
  ...(row.expiresAt !== null && { expiresAt: iso(row.expiresAt) }),
  ...(row.endedAt !== null && { endedAt: iso(row.endedAt) }),
  ...(row.userId !== null && { user: `/user/${row.userId}` }),
});

function stateOf({ endedAt, used, uses, expiresAt }: Enrolment, now: number) {
  if (endedAt !== null) return 'ended';
  if (used >= uses) return 'used';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'open';
}
