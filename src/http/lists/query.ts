import * as z from 'zod';
import { propertyName, propertyValue } from '../fields.ts';
import { bounded, identifier } from '../validation.ts';
import { cursor } from './paging.ts';

/** Parameters of a list in order of creation. */
export const createdCursor = cursor(z.tuple([z.number().int(), identifier]));

/** Asks for more about the lock of an item. */
export const includeLock = z.enum(['lock'], { error: 'Expected lock.' }).optional().meta({
  description:
    '`lock` adds to locked items who locked them and why, as `lock`; in CSV as `lockedBy` and `lockReason`. For owners, editors and monitors.',
});

const flag = z
  .enum(['true', 'false'], { error: 'Expected true or false.' })
  .transform((text) => text === 'true');

/** Asks for the mark of UTF-8. */
export const mark = flag.optional().meta({
  description:
    'CSV only: `true` begins the file with the mark U+FEFF, by which spreadsheets know that it is UTF-8.',
});

const expectedProperty = 'Expected the name of a property and a value, such as site:lyon.';
const maxFiltered = 20;

/** One `name:value`; names have no colon. */
const propertyAndValue = bounded(101, expectedProperty).refine((text) => {
  const [name, value] = partsOf(text);
  return propertyName.safeParse(name).success && propertyValue.safeParse(value).success;
}, expectedProperty);

const partsOf = (text: string) => {
  const at = text.indexOf(':');
  return [text.slice(0, Math.max(at, 0)), text.slice(at + 1)] as const;
};

/** Filters by properties: the values by name. */
export const property = z
  .union([
    propertyAndValue,
    z.array(propertyAndValue).max(maxFiltered, `Expected at most ${maxFiltered} properties.`),
  ])
  .optional()
  .transform((given): Record<string, string[]> | undefined => {
    if (given === undefined) return undefined;
    const pairs = [given].flat().map(partsOf);
    const byName = Map.groupBy(pairs, ([name]) => name);
    return Object.fromEntries([...byName].map(([name, some]) => [name, some.map(([, value]) => value)]));
  })
  .meta({
    description:
      'Only those with this property: its name, a colon and a value. It may be repeated: several values of one name are alternatives, and those of different names hold together.',
    examples: ['site:lyon'],
  });

/** Asks for the labels of answers. */
export const labels = flag.optional().meta({
  description:
    '`true` adds the labels of the values that people chose, as the survey had them when the answer was given, or an edit gave it its value, as `labels`; in CSV in place of the values.',
});

/** Asks for a column for each value of an item with several. */
export const choices = z.enum(['columns'], { error: 'Expected columns.' }).optional().meta({
  description:
    'CSV only, and only with `survey`: an item of kind `choices` has a column for each value that the survey ever had, `items.<item>/<value>`, in place of its own: 1 chosen, 0 not chosen, empty without an answer. Values of now come first. An answer with a value that has no column is in `other`, too.',
});

/** Query parameters of the lists of cases and responses. Without `limit` and `cursor`, everything is streamed. */
export const listQuery = {
  limit: bounded(4, 'Expected a whole number from 1 to 1000.')
    .regex(/^(?:[1-9][0-9]{0,2}|1000)$/, 'Expected a whole number from 1 to 1000.')
    .transform(Number)
    .optional()
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      description: 'When omitted, everything is streamed.',
    }),
  cursor: createdCursor.optional(),
  status: z
    .enum(['active', 'archived', 'deleted', 'all'], { error: 'Expected active, archived, deleted or all.' })
    .default('active')
    .meta({
      description:
        'Locked items are listed as active (unless archived) and as archived. `deleted`, for owners, lists the items that can still be brought back; `all` leaves them out.',
    }),
  locked: flag.optional(),
  mark,
  since: bounded(11, 'Expected Unix time in seconds.')
    .regex(/^[0-9]{1,11}$/, 'Expected Unix time in seconds.')
    .transform(Number)
    .optional()
    .meta({
      type: 'integer',
      minimum: 0,
      maximum: 99_999_999_999,
      description: 'Only items whose latest revision is not older: Unix time in seconds.',
    }),
};
