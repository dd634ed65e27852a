import * as z from 'zod';
import { bounded } from './validation.ts';

const expected = 'Expected an e-mail address.';
const maxCharacters = 254;
const notPlain =
  'Expected plain characters before the @: none that only looks like another one, and é as one character.';
const tooLong = `Expected an e-mail address of at most ${maxCharacters} characters.`;

/**
 * An e-mail address, international ones included (RFC 6531), in the one form in which tokens and invitations match: the
 * letters A-Z of the local part in lower case, the domain as the DNS has it (UTS 46). Unicode's own case mapping would make
 * one of different mailboxes: the Kelvin sign becomes a k.
 */
export const email = bounded(maxCharacters, expected, tooLong)
  .refine((address) => isCompatible(splitAddress(address)[0]), {
    error: notPlain,
    abort: true,
  })
  .transform(normalEmail)
  .refine(isEmail, expected)
  .refine((address) => address.length <= maxCharacters, tooLong)
  .meta({
    description:
      'Compared with the letters A-Z before the @ in lower case, and the domain as the DNS has it. Before the @ stands no character that NFKC changes.',
    examples: ['dana@example.org'],
  });

/** Whether no character stands for another one, as the Kelvin sign for K and a full-width letter for the plain one (UAX 15). */
const isCompatible = (local: string) => local.normalize('NFKC') === local;

function normalEmail(address: string): string {
  const [local, domain] = splitAddress(address);
  return `${local.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())}@${asciiDomain(domain)}`;
}

function splitAddress(address: string): [local: string, domain: string] {
  const at = address.lastIndexOf('@');
  return [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
}

/** The host as a URL writes it. Text with more than a host in it stays as it is, and is refused. */
const asciiDomain = (domain: string) =>
  /[\s/?#:@%[\]\\]/.test(domain) ? domain : (URL.parse(`http://${domain}`)?.hostname ?? domain);

/** zod's check of the local part knows dots and letters of all scripts; the one of HTML knows every domain. */
function isEmail(address: string): boolean {
  const [local, domain] = splitAddress(address);
  return z.regexes.rfc5322Email.test(`${local}@example.org`) && z.regexes.html5Email.test(`x@${domain}`);
}
