/** The form of a tag, and the subtags that may not repeat within it (RFC 5646, section 2.1; grandfathered tags apart). */
const wellFormed = new RegExp(
  [
    '^(?:(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{5,8})', // language, with extended ones
    '(?:-[a-z]{4})?', // script
    '(?:-(?:[a-z]{2}|[0-9]{3}))?', // region
    '(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*', // variants
    '(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*', // extensions
    '(?:-x(?:-[a-z0-9]{1,8})+)?', // private use
    '|x(?:-[a-z0-9]{1,8})+)$',
  ].join(''),
);

const grandfathered = new Set(
  'en-gb-oed i-ami i-bnn i-default i-enochian i-hak i-klingon i-lux i-mingo i-navajo i-pwn i-tao i-tay i-tsu sgn-be-fr sgn-be-nl sgn-ch-de art-lojban cel-gaulish no-bok no-nyn zh-guoyu zh-hakka zh-min zh-min-nan zh-xiang'.split(
    ' ',
  ),
);

/** Whether it is a language tag of BCP 47: its form is valid, and no variant or singleton is in it twice. */
export function isLanguageTag(tag: string): boolean {
  // The lower case of the Kelvin sign is a k, too. SQL and other clients know the letters A-Z only.
  if (!/^[a-z0-9-]*$/i.test(tag)) return false;
  const lower = tag.toLowerCase();
  if (grandfathered.has(lower)) return true;
  if (!wellFormed.test(lower)) return false;
  const [before = ''] = lower.split(/(?:^|-)x-/);
  const subtags = before.split('-').slice(1);
  const extension = subtags.findIndex((subtag) => subtag.length === 1);
  const singletons = subtags.filter((subtag) => subtag.length === 1);
  const variants = (extension < 0 ? subtags : subtags.slice(0, extension)).filter(
    (subtag) => subtag.length > 4 || /^[0-9].{3}$/.test(subtag),
  );
  return [singletons, variants].every((list) => new Set(list).size === list.length);
}

/**
 * The tag among `available` that best matches a language range: the whole range, else without its last subtags (RFC 4647,
 * section 3.4). Undefined: none does.
 */
export function lookUpLanguage(available: readonly string[], range: string): string | undefined {
  let subtags = range.toLowerCase().split('-');
  while (subtags.length > 0) {
    const wanted = subtags.join('-');
    const found = available.find((tag) => tag.toLowerCase() === wanted);
    if (found !== undefined) return found;
    subtags = subtags.slice(0, -1);
    // A range does not end in the singleton of an extension or of a private part.
    if (subtags.at(-1)?.length === 1) subtags = subtags.slice(0, -1);
  }
  return undefined;
}

/** The text of a reminder. */
export interface ReminderText {
  subject: string;
  body: string;
}

export interface ReminderTexts {
  notification: ReminderText;
  /** By language tag. */
  translations: Readonly<Record<string, ReminderText>>;
}

/**
 * The text for a phone, and the tag of its translation; the notification's own text if no translation matches the
 * language.
 */
export function textFor(
  { notification, translations }: ReminderTexts,
  language: string | null,
): { text: ReminderText; language?: string } {
  const tag = language === null ? undefined : lookUpLanguage(Object.keys(translations), language);
  const text = tag === undefined ? undefined : translations[tag];
  return tag !== undefined && text ? { text, language: tag } : { text: notification };
}
