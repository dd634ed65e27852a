import { readKept } from './store.ts';

/* The zone of this phone, as far as its browser tells. Shared with the service worker. */

/** Browsers that hide their zone, or have none, say one of these, or an offset. */
const nameless =
  /^(?:Etc\/(?:Unknown|UTC|UCT|GMT.*|Greenwich|Universal|Zulu)|UTC|UCT|GMT.*|Greenwich|Universal|Zulu|[+-].*|)$/;

/** A zone that says nothing of a place. */
export const isNameless = (zone: string): boolean => nameless.test(zone);

/** An IANA name that says where the phone is; undefined where the browser names none, so that the study's zone holds. */
export function deviceZone(): string | undefined {
  const zone: string | undefined = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone === undefined || isNameless(zone) ? undefined : zone;
}

/** The zone that reminders go by on this phone: the chosen one, or the phone's. */
export const ownZone = async (): Promise<string | undefined> =>
  (await readKept<string>('chosen-zone')) ?? deviceZone();

/** All names that the browser knows, as far as it tells. */
export const knownZones = (): string[] => Intl.supportedValuesOf?.('timeZone') ?? [];
