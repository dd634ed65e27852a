import { base64url } from 'jose';

/** The parts of a browser's PushSubscription (W3C, "Push API") that a push needs. */
export interface Subscription {
  endpoint: URL;
  /** The browser's public key: an uncompressed point of P-256. */
  p256dh: Uint8Array<ArrayBuffer>;
  auth: Uint8Array<ArrayBuffer>;
  /** The push service: the entry of `hosts` that its endpoint is at. */
  service: string;
  /** The beginning of the VAPID key that it was made for, if its text says so. */
  madeFor?: string | undefined;
}

/** Hosts of the push services, as `WEB_PUSH_HOSTS` lists them. */
export interface Hosts {
  /** `host` or `host:port`; with `*.` before it: any name below. */
  hosts: readonly string[];
  /** http is allowed, to a listed loopback address. */
  local: boolean;
}

/** Reads a subscription from its JSON, of whatever form. @returns the expected value, where it is none */
export function readSubscription(text: string, hosts: Hosts): Subscription | { expected: string } {
  const { endpoint, keys, madeFor } = objectIn(parse(text));
  const { p256dh, auth } = objectIn(keys);
  const url = typeof endpoint === 'string' ? URL.parse(endpoint) : null;
  if (!url || url.username || url.password || url.hash)
    return { expected: 'Expected the JSON of a PushSubscription, whose `endpoint` is a URL.' };
  const service = listedHost(url, hosts);
  if (service === undefined)
    return { expected: 'Expected an `endpoint` at a known push service of browsers, by https.' };
  const point = bytesOf(p256dh, 65);
  if (point?.[0] !== 4)
    return { expected: 'Expected `keys.p256dh` with the 65 bytes of an uncompressed point, in base64url.' };
  const secret = bytesOf(auth, 16);
  if (!secret) return { expected: 'Expected `keys.auth` with 16 bytes, in base64url.' };
  return {
    endpoint: url,
    p256dh: point,
    auth: secret,
    service,
    ...(typeof madeFor === 'string' && { madeFor }),
  };
}

/** The one text of a subscription, whichever form its JSON had; with the key that it was made for, once that is known. */
export const textOf = ({ endpoint, p256dh, auth }: Subscription, madeFor?: string): string =>
  JSON.stringify({
    endpoint: endpoint.href,
    keys: { p256dh: base64url.encode(p256dh), auth: base64url.encode(auth) },
    madeFor,
  });

/** The listed host of a URL. A subscription comes from a browser, so its URL could be anything inside the network. */
function listedHost({ protocol, hostname, port }: URL, { hosts, local }: Hosts): string | undefined {
  if (protocol !== 'https:' && !(local && protocol === 'http:' && loopback.test(hostname))) return undefined;
  const suffix = port && `:${port}`;
  return hosts.find((host) =>
    host.startsWith('*.') ? `${hostname}${suffix}`.endsWith(host.slice(1)) : `${hostname}${suffix}` === host,
  );
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const objectIn = (value: unknown) => ((typeof value === 'object' && value) || {}) as Record<string, unknown>;

function bytesOf(text: unknown, length: number): Uint8Array<ArrayBuffer> | undefined {
  if (typeof text !== 'string' || !/^[\w+/-]+=*$/.test(text)) return undefined;
  try {
    // Some tools write standard base64.
    const bytes = base64url.decode(text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''));
    return bytes.length === length ? new Uint8Array(bytes) : undefined;
  } catch {
    return undefined;
  }
}
