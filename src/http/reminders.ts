import { z } from 'zod';
import { parseRule } from '../schedule/rule.ts';
import { text } from './validation.ts';

const days = z.number({ error: 'Expected a whole number or null.' }).nullable();

const timing = z.strictObject({
  type: z.enum(['fixed', 'rolling'], { error: 'Expected fixed or rolling.' }),
  recurrence: z
    .string({ error: 'Expected five fields: minute hour day-of-month month day-of-week.' })
    .max(200)
    .meta({
      description: 'Minute, hour, day of month, month, day of week; what is allowed depends on the type.',
      examples: ['30 21 * * *', '0 8 * * 1,3,5'],
    }),
  ends: days.default(null).meta({ description: 'Rolling only: how many occurrences there are.' }),
  delay: days.default(null).meta({ description: 'Rolling only: days from the start of the study.' }),
});

const settings = timing.extend({
  unlessAnswered: z.boolean({ error: 'Expected true or false.' }).default(false),
  expiresAfter: z
    .int({ error: 'Expected minutes from 1 to 1440.' })
    .min(1, 'Expected minutes from 1 to 1440.')
    .max(1440, 'Expected minutes from 1 to 1440.')
    .default(360),
  notification: z.strictObject({ subject: text(1, 200), body: text(1, 4000) }),
});

function checkRule(value: z.output<typeof timing>, ctx: z.RefinementCtx) {
  const parsed = parseRule(value);
  for (const issue of 'issues' in parsed ? parsed.issues : [])
    ctx.addIssue({ code: 'custom', path: issue.pointer.split('/').slice(1), message: issue.detail });
}

/** The `reminders` property of a survey, with defaults for omitted fields. */
export const reminders = settings.superRefine(checkRule);

/** The same for a preview, where the notification text is optional. */
export const previewReminders = settings.partial({ notification: true }).superRefine(checkRule);
