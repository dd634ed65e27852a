import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { keep, readKept } from '../store.ts';
import type { WorkerTexts } from '../worker.ts';
import type { Texts } from './en.ts';
import { fill } from './fill.ts';

export { fill };

/** The languages of the page, each by its own name. */
export const languages = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const;
export type Language = keyof typeof languages;

const load: Record<Language, () => Promise<{ texts: Texts }>> = {
  en: () => import('./en.ts'),
  de: () => import('./de.ts'),
  fr: () => import('./fr.ts'),
  es: () => import('./es.ts'),
};

export interface Told {
  language: Language;
  /** A tag for dates and times: the phone's own form of the language, where it has one. */
  locale: string;
  texts: Texts;
}

const isLanguage = (tag: string | undefined): tag is Language => tag !== undefined && tag in languages;
const languageIn = (tag: string) => tag.split('-')[0]?.toLowerCase();

/** The chosen language, or the first of the phone's that the page has. */
export async function readLanguage(): Promise<Language> {
  const tags = [await readKept<string>('language'), ...navigator.languages.map(languageIn)];
  return tags.find(isLanguage) ?? 'en';
}

/** Loads the texts of a language, for the page and for the notifications of the service worker. */
export async function loadTexts(language: Language): Promise<Told> {
  const { texts } = await load[language]();
  document.documentElement.lang = language;
  await keep('worker-texts', { later: texts.due.later, language } satisfies WorkerTexts);
  const locale = navigator.languages.find((tag) => languageIn(tag) === language) ?? language;
  return { language, locale, texts };
}

export const TextsContext = createContext<Told | undefined>(undefined);

export function useTexts(): Told {
  const told = useContext(TextsContext);
  if (!told) throw new Error('before the texts are there');
  return told;
}

/** The form of a text for a number; all four languages have these two. */
export const counted = (forms: { one: string; other: string }, n: number, language: Language): string =>
  fill(new Intl.PluralRules(language).select(n) === 'one' ? forms.one : forms.other, { n });
