import * as z from 'zod';
import { languageTag } from '../http/fields.ts';
import { text } from '../http/validation.ts';

/** The text of a study for people who join. */
export const informationText = z.strictObject({
  title: text(1, 200),
  text: text(1, 20_000).meta({ description: 'Plain text. Line breaks are shown as they are.' }),
  contact: text(1, 1000).meta({ description: 'The person who answers questions, and how to reach them.' }),
});

const maxLanguages = 50;

/** An entry of the activity log has them before and after a change. */
const maxCharacters = 60_000;

const expected = 'Expected an object from language tag to title, text and contact, or null.';

/** The information of a study, by language tag. */
export const information = z
  .record(languageTag, informationText, { error: expected })
  .superRefine((texts, ctx) => {
    const refuse = (message: string, path: string[] = []) => ctx.addIssue({ code: 'custom', path, message });
    const tags = Object.keys(texts);
    if (tags.length > maxLanguages) return refuse(`Expected at most ${maxLanguages} languages.`);
    const seen = new Set<string>();
    for (const tag of tags) {
      if (seen.has(tag.toLowerCase())) refuse('Expected each language tag once, in any case.', [tag]);
      seen.add(tag.toLowerCase());
    }
    const characters = Object.values(texts).reduce(
      (sum, { title, text, contact }) => sum + title.length + text.length + contact.length,
      0,
    );
    if (characters > maxCharacters)
      refuse(`Expected at most ${maxCharacters} characters in all languages together.`);
  })
  .meta({
    description:
      'By language tag (BCP 47). A person is shown the text that matches their language by RFC 4647 lookup, else the English one, else the first by its tag.',
    examples: [
      {
        en: {
          title: 'How do you sleep?',
          text: 'We ask you about your sleep for two weeks, every evening.',
          contact: 'Dr. Ada Blum, sleep@example.org',
        },
      },
    ],
  });

/** As a request gives it: an empty object is none. */
export const givenInformation = information
  .nullable()
  .transform((texts) => (texts === null || Object.keys(texts).length === 0 ? null : texts));
