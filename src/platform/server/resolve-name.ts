import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

/** The time of one question to one server; the second try has longer. */
const questionMs = 1_500;
const tries = 2;

/** The addresses of a name. Rejects when it has none, or when nobody says so in time. */
export type ResolveName = (host: string, deadline: AbortSignal) => Promise<string[]>;

export interface ResolverOptions {
  /** Servers of DNS, as `ip:port`. Default: those of the system. */
  servers?: readonly string[];
  hostsFile?: string;
  /** The time of the first try, in ms. */
  timeout?: number;
}

/**
 * Looks names up by c-ares, in /etc/hosts and then by DNS. `dns.lookup` would use one of libuv's few threads, which no
 * deadline takes back: names whose servers never answer would hold up everybody's look-ups, those of pushes among them.
 */
export const createResolveName =
  ({ servers, hostsFile = '/etc/hosts', timeout = questionMs }: ResolverOptions = {}): ResolveName =>
  async (host, deadline) => {
    const listed = listedIn(await readFile(hostsFile, 'utf8').catch(() => ''), host);
    if (listed.length > 0) return listed;
    deadline.throwIfAborted();
    // One for each name: what is cancelled is all that a resolver has under way.
    const resolver = new Resolver({ timeout, tries });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    deadline.addEventListener('abort', cancel, { once: true });
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    deadline.removeEventListener('abort', cancel);
    deadline.throwIfAborted();
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw new Error('The name has no address.');
    return addresses;
  };

/** hosts(5): an address and its names on a line. */
const listedIn = (hosts: string, host: string): string[] =>
  hosts.split('\n').flatMap((line) => {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return address && names.some((name) => name.toLowerCase() === host.toLowerCase()) ? [address] : [];
  });
