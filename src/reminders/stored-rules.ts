import { parseRule, type Rule } from '../schedule/rule.ts';
import type { StoredReminders } from '../studies/survey-schema.ts';

/** The reminders of a survey, and their rule. */
interface Parsed {
  reminders: StoredReminders;
  rule: Rule;
}

/** The reminders of a survey from their stored text. Null: there are none, or they are unreadable. */
export function parsedOf({
  reminders,
  windowSecret,
}: Record<'reminders' | 'windowSecret', string | null>): Parsed | null {
  const parsed = reminders === null ? null : parse(reminders);
  // Without a secret anyone could compute the minutes.
  return parsed?.rule.windows && !windowSecret ? null : parsed;
}

/** Users of a survey share its reminders, so a text is parsed once. Null: unreadable. */
function parse(text: string): Parsed | null {
  const before = parsedTexts.get(text);
  if (before !== undefined) return before;
  if (parsedTexts.size >= maxParsedTexts) parsedTexts.clear();
  const parsed = parseStored(text);
  parsedTexts.set(text, parsed);
  return parsed;
}

const parsedTexts = new Map<string, Parsed | null>();
const maxParsedTexts = 500;

function parseStored(text: string): Parsed | null {
  try {
    const reminders = JSON.parse(text) as StoredReminders;
    const parsed = parseRule(reminders);
    return 'rule' in parsed ? { reminders, rule: parsed.rule } : null;
  } catch {
    return null;
  }
}
