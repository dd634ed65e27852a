import { expect, test } from 'vitest';
import { texts as de } from '../../participant/strings/de.ts';
import { texts as en } from '../../participant/strings/en.ts';
import { texts as es } from '../../participant/strings/es.ts';
import { texts as fr } from '../../participant/strings/fr.ts';

/** Each text with its path. */
const textsIn = (value: object, path = ''): [string, string][] =>
  Object.entries(value).flatMap(([key, one]) =>
    typeof one === 'string' ? [[`${path}${key}`, one]] : textsIn(one, `${path}${key}.`),
  );
const placesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

const english = textsIn(en);

test.each([
  ['German', de],
  ['French', fr],
  ['Spanish', es],
])('%s has every text of English, in words of its own, with the same places to fill', (_, texts) => {
  const translated = new Map(textsIn(texts));
  expect([...translated.keys()].sort()).toEqual(english.map(([path]) => path).sort());
  // "One" may leave its number out.
  for (const [path, text] of english)
    if (!path.endsWith('.one')) expect(placesIn(translated.get(path) ?? ''), path).toEqual(placesIn(text));
  const same = english.filter(([path, text]) => text.length > 13 && translated.get(path) === text);
  expect(same).toEqual([]);
});
