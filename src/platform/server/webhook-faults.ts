import { withDeadline } from '../../outgoing.ts';
import { faultOfUrl, insideFault, isClosedAddress, nameOf } from '../../webhooks/addresses.ts';
import type { ResolveName } from './resolve-name.ts';

/** A name that nobody knows so soon is accepted: its calls will tell. */
const patienceMs = 2_000;

/** Finds why a webhook may not have a URL, by its text and by the addresses of its name. */
export function createFaultOf(local: boolean, resolve: ResolveName, timeoutMs = patienceMs) {
  return async (url: string): Promise<string | null> => {
    const fault = faultOfUrl(url, local);
    const name = fault === null && new URL(url).protocol === 'https:' ? nameOf(url) : undefined;
    if (name === undefined) return fault;
    const addresses = await withDeadline(timeoutMs, (deadline) => resolve(name, deadline)).catch(() => []);
    return addresses.length > 0 && addresses.every(isClosedAddress) ? insideFault : null;
  };
}
