import * as z from 'zod';
import { ndjson } from '../accept.ts';
import { examples } from './examples.ts';

/** Schemas of the fields that answers consist of. */

export const id = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .meta({ examples: [examples.case.identifier] });

/** ISO 8601 in UTC with milliseconds. */
export const at = z.iso.datetime({ precision: 3 }).meta({ examples: ['2027-03-01T20:30:00.000Z'] });

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
export const unix = z.int().meta({ description: 'Unix time in seconds.' });
export const date = z.iso.date();
export const slot = z
  .int()
  .optional()
  .meta({ description: 'With windows only: the position within the date, from 0.' });
export const response = z
  .string()
  .optional()
  .meta({ description: 'Of triggered reminders only: the response that triggered this one.' });
export const zone = z.string().meta({ examples: ['Europe/Paris'] });

/** A reference by path, such as `case/<identifier>`. */
export const uri = (start: string) =>
  z
    .string()
    .regex(new RegExp(`^${start}/[0-9a-f]{32}$`))
    .meta({ examples: [`${start}/${examples.case.identifier}`] });

export const avatar = z
  .string()
  .regex(/^\/user\/[0-9a-f]{32}\/avatar$/)
  .meta({ description: "Path of the user's picture." });

/** The signature of a change. */
export const signature = z.strictObject({ name: z.string(), meaning: z.string(), at });
export type Signature = z.infer<typeof signature>;

/** The author and the reason of a lock. */
const lock = z.strictObject({
  activity: id.meta({ description: 'The entry of the activity log.' }),
  actor: id,
  actorName: z.string(),
  code: z.string().optional().meta({ description: "The actor's code in the study, if they have one." }),
  reason: z.string().optional(),
});

/** A locked item has `lockedAt`, every other item has `status`. */
export const lockState = {
  lockedAt: at.optional().meta({ description: 'Only on locked items.' }),
  lockSignature: signature
    .optional()
    .meta({ description: 'The signature of the lock. For owners, editors and monitors.' }),
  lock: lock.optional().meta({
    description:
      'With `include=lock`: the person who locked the item, and the reason. For owners, editors and monitors.',
  }),
  status: z
    .enum(['active', 'archived', 'deleted'])
    .optional()
    .meta({ description: 'Only on items that are not locked; `deleted` only in the list of deleted items.' }),
};

/** In JSON Schema: exactly one of the two. */
export const lockRule = { oneOf: [{ required: ['lockedAt'] }, { required: ['status'] }] };

/** The code of a person in a study. */
export const code = z
  .string()
  .optional()
  .meta({
    description: 'The code that the study gave this person, if any. For owners, editors and monitors.',
    examples: ['P-017'],
  });

/** The values of properties by name, as the reader sees them. */
export const properties = z
  .record(z.string(), z.string())
  .optional()
  .meta({
    description:
      'Values by the names of properties, if there are some. For owners, editors and monitors; of blinded properties for owners.',
    examples: [{ site: 'lyon' }],
  });

/** The address at which a member was invited. */
export const invitedAs = z
  .string()
  .optional()
  .meta({
    description: 'The address of the invitation that this member accepted, if any. For owners.',
    examples: ['chidi@example.org'],
  });

/** When a response was given. */
export const givenState = {
  givenAt: at.optional().meta({
    description:
      'When the response was given, as its phone reported (`at`). Absent: the response was given when the service received it.',
  }),
  receivedAt: at
    .optional()
    .meta({ description: 'Only beside `givenAt`: when the service received the response.' }),
};

/** The reminder that a response answers. */
export const answerState = {
  notification: id.nullable().optional().meta({
    description:
      'The notification that the response answers; null if it answers none. Absent if it answers none and the survey sets no time to answer.',
  }),
  late: z.boolean().optional().meta({
    description:
      'Only beside `notification`: whether the response was given later than `answerWithin` after the notification was due, by the reminders of that time.',
  }),
};

/** Whether the survey has changed since a response was given. */
export const outdatedState = {
  outdated: z.literal(true).optional().meta({
    description:
      "The response was given before the survey's items last changed by the time it was received: it answers those of then, and is not checked. Absent otherwise.",
  }),
};

/** The two maps of a response. */
export const answers = z
  .record(z.string(), z.string())
  .meta({ description: 'From item to answer; an empty text is no answer.', examples: [{ q1: 'well' }] });
export const labels = z
  .record(z.string(), z.string())
  .optional()
  .meta({
    description:
      "With `labels=true`: from item to the label of its answer, as it was when the answer was given; of several values joined by `; `. A value that had no label then has that of the response's last revision, else stays as it is. Answers without any label are left out.",
    examples: [{ q1: 'Well' }],
  });
export const reasons = z.record(z.string(), z.int32()).meta({ examples: [{ q2: 1 }] });

/** Set if an answer ended at the limit of one request. */
export const more = z
  .literal(true)
  .optional()
  .meta({ description: 'The request stopped at its limit of occurrences; more may follow.' });

export const next = z.string().optional().meta({ description: 'Cursor of the next page, if there is one.' });

/** The other formats of a list: the beginning of a file, and a row of JSON a line. */
export const files = (head: string, row: object) => ({
  'text/csv': { schema: { type: 'string' }, example: head },
  [ndjson]: { schema: { type: 'string' }, example: `${JSON.stringify(row)}\n` },
});

export const nothing = (description: string) => ({ 204: { description } });
