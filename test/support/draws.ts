import type { Draw, Windows } from '../../src/schedule/windows.ts';

const windows: Windows = {
  list: [
    { from: 540, to: 720, count: 2 },
    { from: 840, to: 1260, count: 3 },
  ],
  gap: 45,
};
const chidi: Draw = { secret: '5e'.repeat(32), user: '01a3d4021ee978e3995de6affbacade3', revision: 7 };

/** Draws and the minutes that they have on every runtime. */
export const knownDraws: { draw: Draw; windows: Windows; date: string; minutes: number[] }[] = [
  { draw: chidi, windows, date: '2027-03-27', minutes: [545, 601, 987, 1097, 1227] },
  { draw: chidi, windows, date: '2027-03-28', minutes: [631, 676, 882, 946, 1216] },
  { draw: { ...chidi, revision: 8 }, windows, date: '2027-03-28', minutes: [554, 718, 894, 1070, 1228] },
  { draw: { ...chidi, user: 'Ada' }, windows, date: '2027-03-28', minutes: [574, 687, 1050, 1111, 1252] },
  { draw: { ...chidi, secret: 'ï·🎲' }, windows, date: '2027-03-28', minutes: [550, 656, 914, 1057, 1202] },
];
