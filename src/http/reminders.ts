import { z } from 'zod';
import { parseRule } from '../schedule/rule.ts';
import { languageTag } from './fields.ts';
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

const message = z.strictObject({ subject: text(1, 200), body: text(1, 4000) });

const maxTranslations = 50;
const translations = z
  .record(languageTag, message, { error: 'Expected an object from language tag to subject and body.' })
  .superRefine((texts, ctx) => {
    const seen = new Set<string>();
    for (const tag of Object.keys(texts)) {
      if (seen.has(tag.toLowerCase()))
        ctx.addIssue({
          code: 'custom',
          path: [tag],
          message: 'Expected each language tag once, in any case.',
        });
      seen.add(tag.toLowerCase());
    }
    if (Object.keys(texts).length > maxTranslations)
      ctx.addIssue({ code: 'custom', message: `Expected at most ${maxTranslations} translations.` });
  })
  .meta({
    description:
      'By language tag (BCP 47). A phone gets the one that serves its language, else `notification`.',
    examples: [{ fr: { subject: 'Journal', body: 'Comment était votre journée ?' } }],
  });

const settings = timing.extend({
  unlessAnswered: z.boolean({ error: 'Expected true or false.' }).default(false),
  expiresAfter: z
    .int({ error: 'Expected minutes from 1 to 1440.' })
    .min(1, 'Expected minutes from 1 to 1440.')
    .max(1440, 'Expected minutes from 1 to 1440.')
    .default(360),
  notification: message,
  translations: translations.optional(),
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
