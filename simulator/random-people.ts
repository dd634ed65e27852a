import { offsetAt } from './oracle/clock.ts';
import type { Draws } from './random-draws.ts';
import type { RandomReminders } from './random-reminders.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export const zones = [
  'Europe/Paris',
  'America/New_York',
  'America/Los_Angeles',
  'Asia/Tokyo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'UTC',
];
const names = ['Ada', 'Chidi', 'Dana', 'Emil'];

/** The hours that a scenario takes, from `from` (epoch ms) on. */
export interface Period {
  from: number;
  hours: number;
}

export interface RandomSurvey {
  name: string;
  reminders: RandomReminders;
}

export type RandomMember = ReturnType<typeof randomMembers>[number];

/** The first is the owner. Instants of `within` are ISO 8601. */
export function randomMembers(draws: Draws, surveys: RandomSurvey[], within: () => string) {
  const { chance, one, wallTime } = draws;
  return names.slice(0, chance(0.8) ? 2 : 3).map((name, n) => ({
    name,
    role: n === 0 ? ('owner' as const) : ('responder' as const),
    ...(chance(0.3) && { customRemindersTime: wallTime() }),
    ...(chance(0.3) && { timeZone: one(zones) }),
    phones: Array.from({ length: chance(0.35) ? 2 : 1 }, (_, p) => randomPhone(draws, `phone ${p + 1}`)),
    downloads: surveys
      .filter(({ reminders: { type } }) => type === 'fixed' && chance(0.8))
      .map((survey) => survey.name),
    ...(n > 0 && chance(0.2) && { joins: within() }),
  }));
}

export const randomPhone = ({ one }: Draws, name: string) => ({
  name,
  platform: one(['android', 'ios'] as const),
  timeZone: one(zones),
});

export function randomQuietHours({ below }: Draws) {
  const from = below(24);
  return {
    from: `${String(from).padStart(2, '0')}:30`,
    to: `${String((from + 1 + below(12)) % 24).padStart(2, '0')}:00`,
  };
}

/** When reminders are due on each day and in each zone of the members if nothing changes (epoch ms). */
export function dueTimes(
  surveys: RandomSurvey[],
  members: RandomMember[],
  { from, hours }: Period,
): number[] {
  const zonesOf = members.flatMap((member) => member.phones.map(({ timeZone }) => timeZone));
  const times = surveys.map(({ reminders: { recurrence } }) => recurrence.split(' ').map(Number));
  const all = [-1, 0, 1, 2].flatMap((day) =>
    times.flatMap(([minute = 0, hour = 0]) =>
      zonesOf.map((zone) => {
        const midnight = Math.floor(from / (24 * hourMs)) * 24 * hourMs + day * 24 * hourMs;
        return midnight + hour * hourMs + minute * minuteMs - offsetAt(from, zone);
      }),
    ),
  );
  return all.filter((at) => at > from && at < from + hours * hourMs);
}
