import { expect, test } from 'vitest';
import { maxTextBytes } from '../../../src/push/web-push/encryption.ts';
import { payloadOf } from '../../../src/push/web-push/payload.ts';

const [survey, investigation, notification] = ['b', 'c', 'd'].map((digit) => digit.repeat(32)) as [
  string,
  string,
  string,
];
const message = {
  endpoint: '',
  title: 'Sleep diary',
  body: 'Guten Morgen, Zoë!',
  data: { survey, investigation, notification },
  collapseId: notification,
  ttlSeconds: 60,
};
const read = (text: string) => JSON.parse(text);
const bytes = (text: string) => Buffer.byteLength(text);

test('a push declares its notification, whose tap leads to the survey on the page', () => {
  const { web_push, notification: declared, ...rest } = read(payloadOf(message, 'https://study.example.org'));
  expect(web_push).toBe(8030);
  const { title, body, data } = message;
  expect(declared).toEqual({
    title,
    body,
    data,
    tag: notification,
    navigate: `https://study.example.org/p/?survey=${survey}&notification=${notification}`,
  });
  expect(rest, 'for the worker of an earlier build').toEqual({ title, body, data });
});

test('a test push leads to the page itself', () => {
  const { navigate } = read(
    payloadOf({ ...message, data: { test: 'true' } }, 'https://a.example.org'),
  ).notification;
  expect(navigate).toBe('https://a.example.org/p/');
});

test('without a known origin the address is relative to the page', () => {
  const { navigate } = read(payloadOf(message)).notification;
  expect(new URL(navigate, 'https://study.example.org/p/').href).toBe(
    `https://study.example.org/p/?survey=${survey}&notification=${notification}`,
  );
});

test('a long text is declared once, and the longest is left to the worker: each fits, and none is lost', () => {
  const forms = new Set<string>();
  for (let length = 1000; length <= 3700; length += 10) {
    const body = 'x'.repeat(length);
    const text = payloadOf({ ...message, body }, 'https://study-of-sleep.department.example.org');
    expect(bytes(text)).toBeLessThanOrEqual(maxTextBytes);
    const payload = read(text);
    expect((payload.notification ?? payload).body).toBe(body);
    forms.add(Object.keys(payload).join());
  }
  expect([...forms]).toEqual([
    'web_push,notification,title,body,data',
    'web_push,notification',
    'title,body,data',
  ]);
});
