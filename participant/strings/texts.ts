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

export interface Loaded {
  language: Language;
  /** A tag for dates and times: the phone's own form of the language, where it has one. */
  locale: string;
  texts: Texts;
}

const isLanguage = (tag: string | undefined): tag is Language => tag !== undefined && tag in languages;
const phoneTags = () => navigator.languages ?? [navigator.language];
const languageIn = (tag: string) => tag.split('-')[0]?.toLowerCase();

/** The chosen language, or the first of the phone's that the page has. */
export async function readLanguage(): Promise<Language> {
  const chosen = await readKept<string>('language').catch(() => undefined);
  const tags = [chosen, ...phoneTags().map(languageIn)];
  return tags.find(isLanguage) ?? 'en';
}

/** Loads the texts of a language, for the page and for the notifications of the service worker. */
export async function loadTexts(language: Language): Promise<Loaded> {
  const { texts } = await load[language]();
  document.documentElement.lang = language;
  const worker: WorkerTexts = { later: texts.due.later, ended: texts.ended.title, language };
  // A browser that keeps nothing says so elsewhere.
  await keep('worker-texts', worker).catch(() => undefined);
  const locale = phoneTags().find((tag) => languageIn(tag) === language) ?? language;
  return { language, locale, texts };
}

/** Rather another language than an empty page: the file of one may be out of reach. */
export const loadFirstTexts = (language: Language): Promise<Loaded> =>
  (Object.keys(languages) as Language[]).reduce(
    (loaded, other) => loaded.catch(() => loadTexts(other)),
    loadTexts(language),
  );

export const TextsContext = createContext<Loaded | undefined>(undefined);

export function useTexts(): Loaded {
  const loaded = useContext(TextsContext);
  if (!loaded) throw new Error('before the texts are there');
  return loaded;
}

/** The form of a text for a number; all four languages have these two. */
export const counted = (forms: { one: string; other: string }, n: number, language: Language): string =>
  fill(isOne(n, language) ? forms.one : forms.other, { n });

const isOne = (n: number, language: Language) =>
  Intl.PluralRules ? new Intl.PluralRules(language).select(n) === 'one' : n === 1;
