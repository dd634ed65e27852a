import { describe, expect, test } from 'vitest';
import { isLanguageTag, lookUpLanguage, textFor } from '../../src/schedule/languages.ts';

describe('a language tag', () => {
  // Examples of RFC 5646, appendix A.
  test.each(
    'de i-enochian zh-Hant zh-cmn-Hans-CN sr-Latn-RS sl-rozaj-biske de-CH-1901 hy-Latn-IT-arevela es-419 de-CH-x-phonebk az-Arab-x-AZE-derbend '
      .concat('x-whatever en-US-u-islamcal en-a-myext-b-another fr-CA FR-ca')
      .split(' '),
  )('is %s', (tag) => expect(isLanguageTag(tag)).toBe(true));

  test.each([
    '',
    'f',
    'fr_CA',
    'fr-CA.UTF-8',
    '\u212Ao', // its lower case is ko
    'fr-',
    '-fr',
    'fr--CA',
    'de-419-DE',
    'a-DE',
    'ar-a-aaa-b-bbb-a-ccc',
    'de-1901-1901',
    'sl-rozaj-rozaj',
    'toto',
    'frfrfrfrf',
    'x',
    'en-u',
    'en-x',
    'français',
    'fr\n',
    '*',
  ])('is not %j', (tag) => expect(isLanguageTag(tag)).toBe(false));

  test('is what the runtime knows as one, for what both define', () => {
    const subtags = [
      'fr',
      'zho',
      'Hant',
      'CA',
      '419',
      '1996',
      'rozaj',
      'b',
      'ca',
      'x',
      'a1',
      'toolongsub',
      '',
    ];
    const all = subtags.flatMap((a) =>
      subtags.flatMap((b) => subtags.flatMap((c) => [a, `${a}-${b}`, `${a}-${b}-${c}`, `fr-${a}-${b}-${c}`])),
    );
    const isRuntimes = (tag: string) => {
      try {
        return Intl.getCanonicalLocales(tag).length === 1;
      } catch {
        return false;
      }
    };
    // UTS 35 leaves out extended languages, and what is private only.
    const comparable = all.filter((tag) => !/^x|-zho/.test(tag));
    expect(comparable.length).toBeGreaterThan(500);
    expect(comparable.filter((tag) => isLanguageTag(tag) !== isRuntimes(tag))).toEqual([]);
  });
});

describe('the text for a phone', () => {
  test.each<[string, string[], string | undefined]>([
    ['fr-CA', ['de', 'fr', 'fr-CA'], 'fr-CA'],
    ['fr-CA', ['de', 'fr'], 'fr'],
    ['fr', ['fr-CA'], undefined],
    ['FR-ca', ['Fr-CA'], 'Fr-CA'],
    ['zh-Hant-CN-x-private1-private2', ['zh', 'zh-Hant-CN'], 'zh-Hant-CN'],
    ['zh-Hant-CN-x-private1', ['zh-Hant-CN-x', 'zh-Hant'], 'zh-Hant'],
    ['en-US', ['e'], undefined],
    ['en', [], undefined],
  ])('in %s, of %j, is in %s', (range, available, found) =>
    expect(lookUpLanguage(available, range)).toBe(found),
  );

  const texts = {
    notification: { subject: 'Diary', body: 'Now?' },
    translations: { fr: { subject: 'Journal', body: 'Maintenant ?' } },
  };

  test('is the notification where no translation serves its language, or it told none', () => {
    expect(textFor(texts, 'de-AT')).toEqual({ text: texts.notification });
    expect(textFor(texts, null)).toEqual({ text: texts.notification });
    expect(textFor(texts, 'fr-CA')).toEqual({ text: texts.translations.fr, language: 'fr' });
  });
});
