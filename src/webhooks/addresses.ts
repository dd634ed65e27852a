/** Networks that no webhook reaches (IANA, special-purpose address registries), as first address and prefix length. */
const closedV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

const numberOf = (address: string) =>
  address.split('.').reduce((value, part) => value * 256 + Number(part), 0);

const isClosedV4 = (address: string) =>
  closedV4.some(([network, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(numberOf(address) / size) === Math.floor(numberOf(network) / size);
  });

const v4Pattern = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** The eight groups of an IPv6 address as a URL writes it; its last two may be an IPv4 address. */
function groupsOf(address: string): number[] {
  const text = address.replace(/\d+(?:\.\d+){3}$/, (v4) => {
    const value = numberOf(v4);
    return `${Math.floor(value / 65_536).toString(16)}:${(value % 65_536).toString(16)}`;
  });
  const [head = '', tail] = text.split('::');
  const groups = (part: string) =>
    part === '' ? [] : part.split(':').map((one) => Number.parseInt(one, 16));
  if (tail === undefined) return groups(head);
  const [first, last] = [groups(head), groups(tail)];
  return [...first, ...Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0), ...last];
}

/**
 * Only global unicast addresses (2000::/3) are open, and of those none that stands for another (Teredo, 6to4), for
 * documentation or for another special purpose. NAT64, mapped and unique local addresses are outside of it.
 */
function isClosedV6(address: string): boolean {
  const [first = 0, second = 0, third = 0] = groupsOf(address);
  const isGlobal = first >= 0x2000 && first <= 0x3fff;
  const isSpecial =
    (first === 0x2001 && (second < 0x200 || second === 0xdb8)) ||
    first === 0x2002 ||
    (first === 0x2620 && second === 0x4f && third === 0x8000) ||
    first === 0x3fff;
  return !isGlobal || isSpecial;
}

/** Whether an address (IPv4, or IPv6 without brackets) is private, loopback, link-local or reserved otherwise. */
export const isClosedAddress = (address: string): boolean =>
  v4Pattern.test(address) ? isClosedV4(address) : isClosedV6(address.replace(/%.*$/, ''));

const isLoopback = (host: string) => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);

const maxCharacters = 2_000;

/** A name of DNS (RFC 1123, RFC 1035): at least two labels, 253 characters. A URL has it in lower case. */
const publicName =
  /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/** Ends of names that lead nowhere on the public internet (IANA, special-use domain names; ICANN, SAC113). */
const privateName =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid|onion|alt)$/;

/** The one error of every call without an answer, so that none tells what is there. */
export const unreachable = 'No answer.';

/** Why a webhook may not have the URL of a host inside. */
export const insideFault =
  'Expected a host on the public internet, not a private, loopback or link-local one.';

const withoutDot = (host: string) => host.replace(/\.$/, '');

/** The name that a call of the URL looks up; undefined for an address. */
export function nameOf(url: string): string | undefined {
  const host = withoutDot(new URL(url).hostname);
  return host.startsWith('[') || v4Pattern.test(host) ? undefined : host;
}

/**
 * Why a webhook may not call this URL; null if it may. URLs write every IPv4 address with four decimal numbers, and IPv6 in
 * brackets. @param local http to the loopback address is allowed
 */
export function faultOfUrl(text: string, local: boolean): string | null {
  const url = text.length <= maxCharacters ? URL.parse(text) : null;
  if (!url) return `Expected an https URL of at most ${maxCharacters} characters.`;
  if (url.username !== '' || url.password !== '') return 'Expected a URL without a user name and password.';
  const host = withoutDot(url.hostname);
  if (local && url.protocol === 'http:' && isLoopback(host)) return null;
  if (url.protocol !== 'https:')
    return local ? 'Expected https, or http to the loopback address.' : 'Expected an https URL.';
  const name = nameOf(text);
  const isOutside =
    name === undefined
      ? !isClosedAddress(host.replace(/^\[|\]$/g, ''))
      : publicName.test(name) && !privateName.test(name);
  return isOutside ? null : insideFault;
}
