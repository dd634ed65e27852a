/** Whether a language has more than one of the texts. */
export const isTwice = (texts: readonly { tag: string }[], tag: string): boolean =>
  tag.trim() !== '' &&
  texts.filter((other) => other.tag.trim().toLowerCase() === tag.trim().toLowerCase()).length > 1;

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** "French (Canada)"; undefined if this browser does not know the language. */
export function languageName(tag: string): string | undefined {
  try {
    return tag.trim() ? names.of(tag.trim()) : undefined;
  } catch {
    return undefined;
  }
}
