/* The zone of this phone, as far as its browser tells. Shared with the service worker. */

/** Browsers that hide their zone, or have none, say one of these, or an offset. */
const nameless =
  /^(?:Etc\/(?:Unknown|UTC|UCT|GMT.*|Greenwich|Universal|Zulu)|UTC|UCT|GMT.*|Greenwich|Universal|Zulu|[+-].*|)$/;

/** An IANA name that says where the phone is; undefined where the browser names none, so that the study's zone holds. */
export function deviceZone(): string | undefined {
  const zone: string | undefined = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone === undefined || nameless.test(zone) ? undefined : zone;
}
