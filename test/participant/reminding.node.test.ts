import { expect, test } from 'vitest';
import { type Message, pushedIn } from '../../participant/push-data.ts';
import { type Known, remindingOf } from '../../participant/reminding-state.ts';

const now = Date.parse('2027-03-01T12:00:00Z');
const hourMs = 3600 * 1000;
const well = { at: now - hourMs, isWell: true };
const on: Known = { permission: 'granted', device: 'd1', wanted: true, check: well, now };

test.each<[string, Partial<Known>, string]>([
  ['registered, wanted, allowed, and seen an hour ago', {}, 'on'],
  ['of an earlier build, which kept no wish', { wanted: undefined }, 'on'],
  ['nobody has looked yet', { check: undefined }, 'unknown'],
  ['nobody has looked for four days', { check: { at: now - 96 * hourMs, isWell: true } }, 'unknown'],
  ['wanted, and not registered yet', { device: undefined }, 'unknown'],
  ['the last look found a fault', { check: { ...well, isWell: false } }, 'failing'],
  ['a fault, and not registered', { device: undefined, check: { ...well, isWell: false } }, 'failing'],
  ['an old fault', { check: { at: now - 96 * hourMs, isWell: false } }, 'failing'],
  ['switched off in the phone', { permission: 'denied' }, 'blocked'],
  [
    'switched off before they were wanted',
    { permission: 'denied', device: undefined, wanted: undefined },
    'blocked',
  ],
  ['the browser took the permission back', { permission: 'ask' }, 'blocked'],
  ['taken back, and told to the service', { permission: 'ask', device: undefined }, 'blocked'],
  ['stopped by the person', { device: undefined, wanted: false }, 'off'],
  ['never asked for', { permission: 'ask', device: undefined, wanted: undefined, check: undefined }, 'off'],
  ['an iPhone, in Safari', { permission: 'install', device: undefined, wanted: undefined }, 'off'],
  ['a browser without pushes', { permission: 'unsupported' }, 'unsupported'],
])('reminders of a phone: %s', (_, known, state) => {
  expect(remindingOf({ ...on, ...known })).toBe(state);
});

const message = (value: unknown): Message => ({ json: () => value });
const broken: Message = { json: () => JSON.parse('{') };
const data = { survey: 's1', investigation: 'i1', notification: 'n1' };

test.each<[string, Message | null, object]>([
  ['our own', message({ title: 'Diary', body: 'Now', data }), { title: 'Diary', body: 'Now', data }],
  [
    'declared',
    message({ web_push: 8030, notification: { title: 'Diary', body: 'Now', navigate: '/p/', data } }),
    { title: 'Diary', body: 'Now', data },
  ],
  [
    'declared, with the address alone',
    message({
      notification: { title: 'Diary', navigate: 'https://a.example/p/?survey=s1&notification=n1#x' },
    }),
    { title: 'Diary', body: '', data: { survey: 's1', notification: 'n1' } },
  ],
  ['nothing', null, { title: 'Fieldbell', body: '', data: {} }],
  ['no JSON', broken, { title: 'Fieldbell', body: '', data: {} }],
  ['a list', message([]), { title: 'Fieldbell', body: '', data: {} }],
  ['null', message(null), { title: 'Fieldbell', body: '', data: {} }],
  ['other types', message({ title: 7, body: {}, data: 'x' }), { title: 'Fieldbell', body: '', data: {} }],
  ['data that is null', message({ title: 'A test', data: null }), { title: 'A test', body: '', data: {} }],
])('a push is read whatever it is: %s', (_, given, shown) => {
  expect(pushedIn(given)).toEqual(shown);
});
