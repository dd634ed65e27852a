/* Times as people read them, in the zone of the phone. */

const isSameDay = (a: number, b: number) => new Date(a).toDateString() === new Date(b).toDateString();
/** The same time of the next date: days have 23 to 25 hours. */
const nextDay = (now: number) => new Date(now).setDate(new Date(now).getDate() + 1);

const capital = (text: string, locale: string) => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);

const date = { weekday: 'long', day: 'numeric', month: 'long' } as const;

/** Days from 1970 on to the date of an instant. */
export function civilDay(at: number): number {
  const local = new Date(at);
  return Date.UTC(local.getFullYear(), local.getMonth(), local.getDate()) / (24 * 3600 * 1000);
}

/** The day of the week and the date, within a text; with the year if it is another one. */
export function dateText(at: number, now: number, locale: string): string {
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(locale, { ...date, ...(!isThisYear && { year: 'numeric' }) }).format(at);
}

/** Today, tomorrow, or the day of the week and the date. */
export function dayText(at: number, now: number, locale: string): string {
  const relative = Intl.RelativeTimeFormat && new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (relative && isSameDay(at, now)) return capital(relative.format(0, 'day'), locale);
  if (relative && isSameDay(at, nextDay(now))) return capital(relative.format(1, 'day'), locale);
  return capital(new Intl.DateTimeFormat(locale, date).format(at), locale);
}

export const timeText = (at: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(at);

/** The time, with the day if it is another one. */
export function momentText(at: number, now: number, locale: string): string {
  if (isSameDay(at, now)) return timeText(at, locale);
  return new Intl.DateTimeFormat(locale, { ...date, hour: 'numeric', minute: '2-digit' }).format(at);
}

/** Whether the date of an instant is neither today's nor tomorrow's. */
export const isFar = (at: number, now: number): boolean => civilDay(at) - civilDay(now) > 1;
