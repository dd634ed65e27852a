import { describe, expect, test } from 'vitest';
import { newEnrolmentCode } from '../../src/enrolment/codes.ts';
import { longestTyped, readCode } from '../../src/typed-code.ts';

const code = '7M2K9QXB4TWD';

describe('the text that a person types or pastes is the code', () => {
  test.each([
    ['the code', '7M2K-9QXB-4TWD'],
    ['without hyphens', '7m2k9qxb4twd'],
    ['letter by letter', '7 M 2 K 9 Q X B 4 T W D'],
    ['a link', 'https://fieldbell.example.org/p/#7M2K-9QXB-4TWD'],
    ['a link of another host, without hyphens', 'http://192.0.2.1:8787/p/#7M2K9QXB4TWD'],
    ['a link with parameters of a campaign', 'https://x.org/p/?utm_campaign=ABCD-EFGH-1234#7M2K-9QXB-4TWD'],
    [
      'a link with parameters behind the code',
      'https://x.org/p/#7M2K-9QXB-4TWD?utm_source=mail&fbclid=AbC123',
    ],
    ['an encoded link', 'https%3A%2F%2Fx.org%2Fp%2F%237M2K-9QXB-4TWD'],
    ['a link encoded twice', 'x.org/p/%25237M2K-9QXB-4TWD'],
    [
      'a link that a mail gateway has wrapped',
      'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fx.org%2Fp%2F%237M2K-9QXB-4TWD&data=05%7C01%7Cabcdefabcdef%7C0',
    ],
    ['a broken percent sign', '7M2K-9QXB-4TWD%'],
    ['en dashes', '7M2K–9QXB–4TWD'],
    ['em dashes with spaces', '7M2K — 9QXB — 4TWD'],
    ['hyphens that do not break', '7M2K\u20119QXB\u20114TWD'],
    ['minus signs', '7M2K\u22129QXB\u22124TWD'],
    ['the long vowel of a Japanese keyboard', '７Ｍ２Ｋー９ＱＸＢー４ＴＷＤ'],
    ['its half width', '7M2K\uff709QXB\uff704TWD'],
    ['the vowel of a Korean keyboard', '7M2Kㅡ9QXBㅡ4TWD'],
    ['the one of a Chinese keyboard', '7M2K一9QXB一4TWD'],
    ['soft hyphens of a PDF', '7M2K\u00ad-9Q\u00adXB-4TWD'],
    ['zero width spaces', '7M2K\u200b-\u200b9QXB-4TWD'],
    ['a byte order mark', '\ufeff7M2K-9QXB-4TWD'],
    ['marks of direction', '\u200f7M2K-9QXB-4TWD\u200e'],
    ['spaces that do not break', '7M2K\u00a09QXB\u00a04TWD'],
    ['a full stop', '7M2K-9QXB-4TWD.'],
    ['a comma', '7M2K-9QXB-4TWD,'],
    ['quotes', '„7M2K-9QXB-4TWD“'],
    ['angle brackets', '<7M2K-9QXB-4TWD>'],
    ['full width', '７Ｍ２Ｋ－９ＱＸＢ－４ＴＷＤ'],
    ['Arabic digits', '٧M٢K-٩QXB-٤TWD'],
    ['Persian digits', '۷M۲K-۹QXB-۴TWD'],
    ['Devanagari digits', '७M२K-९QXB-४TWD'],
    ['line breaks', '7M2K-\r\n9QXB-\r\n4TWD'],
    ['a word before it', 'Code: 7M2K-9QXB-4TWD'],
    ['a word that looks like a group', 'CODE 7M2K 9QXB 4TWD'],
    ['a sentence with a word of twelve letters', 'Participants type 7M2K-9QXB-4TWD, thanks!'],
    ['a link and the code', 'https://x.org/p/#7M2K-9QXB-4TWD (7M2K-9QXB-4TWD)'],
    ['a link of Markdown', '[7M2K-9QXB-4TWD](https://x.org/p/#7M2K-9QXB-4TWD)'],
    ['a quoted mail', '> Your code:\n> 7M2K-9QXB-4TWD\n> Good luck'],
  ])('%s', (_, typed) => expect(readCode(typed)).toBe(code));

  test('O for 0, and I or L for 1, also in a sentence', () => {
    expect(readCode('oil0-9qxb-4twd')).toBe('01109QXB4TWD');
    expect(readCode('Code: OIL0-9QXB-4TWD.')).toBe('01109QXB4TWD');
  });

  test.each([
    ['nothing', ''],
    ['a letter too few', '7M2K-9QXB-4TW'],
    ['a letter too many', '7M2K-9QXB-4TWDX'],
    ['a U, which no code has', '7M2K-9QXB-4TUD'],
    ['a letter of another script', '7M2K-9QXB-4TWЯ'],
    ['a link without a code', 'https://fieldbell.example.org/p/'],
    ['two codes', '7M2K-9QXB-4TWD or 8M2K-9QXB-4TWD'],
    ['a UUID', '01a3b851-2f6e-7a0c-8d1e-2b3c4d5e6f70'],
    ['a sentence', 'I have lost the code that you gave to me'],
    ['a code behind more than anybody pastes', `${' '.repeat(longestTyped)}7M2K-9QXB-4TWD`],
  ])('but not %s', (_, typed) => expect(readCode(typed)).toBeNull());

  test('every new code is read from its link and from a sentence', () => {
    for (let n = 0; n < 2000; n++) {
      const made = newEnrolmentCode();
      const shown = made.replaceAll(/(.{4})(?=.)/g, '$1-');
      expect(readCode(`https://fieldbell.example.org/p/#${shown}`)).toBe(made);
      expect(readCode(`Your code is ${shown}.`)).toBe(made);
    }
  });

  test('is read quickly, whatever it is', () => {
    for (const bit of ['A-', '%', '%25', '#', 'AAAA ', '٧', '\u200b', '%f0%9f'])
      expect(() => readCode(bit.repeat(longestTyped))).not.toThrow();
  });
});
