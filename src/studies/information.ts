import canonicalize from 'canonicalize';
import { sha256 } from '../identifiers.ts';
import { lookUpLanguage } from '../schedule/languages.ts';
import type { Information, InformationText } from './schema.ts';

/** The hash that says which text a person agreed to: SHA-256 of its canonical JSON (RFC 8785). */
const hashOf = ({ title, text, contact }: InformationText): Promise<string> =>
  sha256(canonicalize({ title, text, contact }) ?? '');

/** The hashes of all present texts. */
export const hashesOf = (information: Information | null): Promise<string[]> =>
  Promise.all(Object.values(information ?? {}).map(hashOf));

/**
 * The text for a language, with its tag and hash: by lookup, else the English one, else the first by its tag. The order of
 * an object's keys decides nothing, since clients and archives sort them. Null without information.
 */
export async function informationFor(information: Information | null, language: string | undefined) {
  const tags = Object.keys(information ?? {}).toSorted();
  const tag = (language && lookUpLanguage(tags, language)) ?? lookUpLanguage(tags, 'en') ?? tags[0];
  const text = tag === undefined ? undefined : information?.[tag];
  if (tag === undefined || !text) return null;
  const { title, text: body, contact } = text;
  return { shown: { language: tag, title, text: body, contact }, hash: await hashOf(text) };
}
