/** Everyone's zone, so that one instant is the same time of day for all. */
export const timeZone = 'Europe/Paris';

/** The date and time of day in everyone's zone. */
export function localTime(instant: number): { on: string; hour: number; minute: number; second: number } {
  const [on = '', time = ''] = clock.format(instant).split(' ');
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  return { on, hour, minute, second };
}

// Swedish dates have the form of ISO 8601.
const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** The date `days` later. */
export const dateAfter = (date: string, days: number) =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
