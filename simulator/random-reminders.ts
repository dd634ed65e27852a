import type { Draws } from './random-draws.ts';

export type RandomReminders = ReturnType<typeof randomReminders>;

export function randomReminders({ below, one, chance }: Draws) {
  const fixed = chance(0.3);
  const [hour, minute] = [below(24), one([0, 30])];
  return {
    type: fixed ? 'fixed' : 'rolling',
    recurrence: `${minute} ${hour} * * ${fixed ? one(['*', '0-2', '0,2', '1']) : one(['*', '*', '1-5', '0,6'])}`,
    ends: !fixed && chance(0.2) ? 1 + below(2) : null,
    delay: !fixed && chance(0.2) ? below(2) : null,
    unlessAnswered: chance(0.4),
    expiresAfter: one([2, 30, 360, 360, 1440]),
    notification: { subject: 'Bell', body: 'How are you?' },
  };
}

/** The same days, with several times each. */
export const withWindows = ({ below, one }: Draws, plain: RandomReminders) => ({
  ...plain,
  recurrence: plain.recurrence.replace(/^\S+ \S+/, '* *'),
  windows: [
    { from: '00:30', to: '05:00', count: 1 + below(3) },
    { from: '10:00', to: one(['10:40', '16:00']), count: 1 + below(2) },
    { from: '18:00', to: '24:00', count: 1 },
  ],
  minGap: one([5, 30]),
});

/** The same, with nudges, if one has room before it expires. */
export function withNudges<R extends RandomReminders>({ below, one, chance }: Draws, plain: R): R {
  const every = one([5, 7, 20, 60, 150]);
  const most = Math.min(10, Math.floor((plain.expiresAfter - 1) / every));
  if (most === 0 || chance(0.2)) return plain;
  const followUps = { every, max: 1 + below(most), stop: one(['answered', 'answered', 'opened']) };
  return { ...plain, followUps };
}
