import { expect, test } from 'vitest';
import { ProblemError } from '../../client/client.ts';
import { texts as de } from '../../participant/strings/de.ts';
import { texts as en } from '../../participant/strings/en.ts';
import { texts as es } from '../../participant/strings/es.ts';
import { texts as fr } from '../../participant/strings/fr.ts';
import {
  ForeignAnswer,
  stopsAll,
  type Verdict,
  verdictOf,
  verdictOfError,
} from '../../participant/verdict.ts';
import { changeFaultOf, headingOf, reasonOf } from '../../participant/wording.ts';
import { catalogue, type ProblemCode } from '../../src/errors.ts';
import { responses } from '../../src/items/routes/responses.ts';
import { setAsideReasons } from '../../src/items/set-aside-reasons.ts';

/*
 * Every answer that the service, or somebody in its place, may give to answers, and what the page says. Only an answer that
 * names the stored response is "sent".
 */

const languages = { en, de, fr, es };
const identifier = '0'.repeat(31).concat('1');

const waits = 'Thank you! Your answers are stored on this phone. They have not been sent yet.';
const kept =
  'Thank you! Your answers are stored on this phone. They will be sent as soon as there is internet.';
const held =
  'Thank you! Your answers are stored on this phone. The study cannot take them right now. They will be sent by themselves.';
const unknown =
  'Thank you! Your answers are stored on this phone. It is not known yet whether the study has them.';
const aside = 'Thank you! The study team has received your answers, and decides where they belong.';
const refused = 'The study did not accept these answers. They are still on this phone.';
const again = 'The page tries again by itself.';
const busy = `The study’s service has a problem at the moment. ${again}`;
const other = 'The study says: As it is.';

type Said = readonly [state: Verdict['state'], heading: string, reason: string];

/** By each code of the catalogue: a new one has to be thought about here. */
const problems: Record<ProblemCode, Said> = {
  'request.malformed-json': ['refused', refused, other],
  'request.invalid': ['refused', refused, `An answer does not fit its question. ${other}`],
  'csv.too-wide': ['refused', refused, other],
  'device.token-refused': ['refused', refused, other],
  'auth.token-missing': ['waiting', waits, 'This phone is not connected to the study any more.'],
  'auth.token-invalid': ['waiting', waits, 'This phone is not connected to the study any more.'],
  'auth.token-expired': ['waiting', waits, 'This phone is not connected to the study any more.'],
  'auth.sign-in-stale': ['waiting', waits, 'This phone is not connected to the study any more.'],
  'user.not-signed-up': ['refused', refused, 'The study does not allow you to answer.'],
  'action.forbidden': ['refused', refused, 'The study does not allow you to answer.'],
  'relay-event.foreign': ['refused', refused, other],
  'relay-event.forged': ['refused', refused, other],
  'relay-event.stale': ['refused', refused, other],
  'resource.not-found': [
    'refused',
    refused,
    'You do not take part in this study any more, or the questionnaire was removed.',
  ],
  'audit.not-signed': ['refused', refused, other],
  'items.not-found': ['refused', refused, other],
  'request.method-not-allowed': ['refused', refused, other],
  'item.archived': ['refused', refused, 'The questionnaire has ended.'],
  'survey.closed': ['refused', refused, 'The time for these answers was over.'],
  'study.archived': ['refused', refused, 'The study has ended.'],
  'study.active': ['refused', refused, other],
  'information.changed': ['refused', refused, other],
  'identifier.taken': [
    'refused',
    refused,
    'The study has received these answers before, and does not show them any more.',
  ],
  'device.disabled': ['refused', refused, other],
  'device.push-refused': ['refused', refused, other],
  'notification.expired': ['refused', refused, other],
  'notification.answered': ['refused', refused, other],
  'member.exists': ['refused', refused, other],
  'invitation.exists': ['refused', refused, other],
  'date.in-use': ['refused', refused, other],
  'property.in-use': ['refused', refused, other],
  'member.code-taken': ['refused', refused, other],
  'member.last-owner': ['refused', refused, other],
  'member.elsewhere': ['refused', refused, other],
  'request.in-progress': ['waiting', waits, busy],
  'limit.reached': ['waiting', held, `The study has no room for more answers at the moment. ${again}`],
  'revision.stale': ['refused', refused, other],
  'request.too-large': ['refused', refused, 'These answers are too long.'],
  'request.not-json': ['refused', refused, other],
  'item.locked': ['waiting', held, `The study has locked your answers for the moment. ${again}`],
  'study.frozen': ['waiting', held, `The study accepts no changes at the moment. ${again}`],
  'rate.limited': ['waiting', waits, busy],
  'client.closed': ['waiting', waits, busy],
  'internal.error': ['waiting', waits, busy],
  'auth.keys-unavailable': ['waiting', waits, busy],
  'user.changed': ['waiting', waits, busy],
  'database.overloaded': ['waiting', waits, busy],
  'relay.unavailable': ['waiting', waits, busy],
};

const problem = (status: number, document: object = {}) =>
  new ProblemError(new Response(null, { status }), document);

function expectSaid(verdict: Verdict, [state, heading, reason]: Said) {
  expect([verdict.state, headingOf(verdict, en), reasonOf(verdict, en)]).toEqual([state, heading, reason]);
  const thanks = Object.values(languages).map(({ survey }) => survey.sent);
  const said = Object.values(languages).map((texts) => [headingOf(verdict, texts), reasonOf(verdict, texts)]);
  for (const [first = '', second = ''] of said) {
    expect(first).not.toBe('');
    expect(`${first}${second}`).not.toMatch(/undefined|\{\w+\}/);
    // "Sent" in one case only, in each language.
    expect(thanks.includes(first)).toBe(state === 'sent');
    expect(second === '').toBe(state === 'sent');
  }
  expect(new Set(said.map(([first]) => first)).size).toBe(4);
}

test.each(Object.entries(problems))('%s', (code, said) => {
  const { status } = catalogue[code as ProblemCode];
  expectSaid(verdictOfError(problem(status, { code, detail: 'As it is.' })), said);
});

test('the catalogue has no code that this page does not know', () => {
  expect(Object.keys(problems).sort()).toEqual(Object.keys(catalogue).sort());
});

test('the routes of an answer are those that are thought of here', () => {
  const routes = responses.routes.map(({ method, path }) => `${method} ${path}`);
  expect([...new Set(routes)]).toEqual([
    'POST /survey/:id/response',
    'GET /response/:id',
    'PATCH /response/:id',
  ]);
});

const stored = { uri: `/response/${identifier}`, items: {} };
const stranger =
  'Something else answered in place of the study. Perhaps the Wi-Fi asks you to sign in. The page tries again by itself.';

test.each<[string, number, unknown, Said]>([
  ['stored', 201, stored, ['sent', en.survey.sent, '']],
  ['stored before', 200, stored, ['sent', en.survey.sent, '']],
  ['a Wi-Fi that says 200 to everything', 200, null, ['waiting', waits, stranger]],
  ['JSON of somebody else', 200, { ok: true }, ['waiting', waits, stranger]],
  ['another response', 201, { uri: '/response/2' }, ['waiting', waits, stranger]],
  ['accepted without a word', 202, {}, ['waiting', waits, stranger]],
  ['stored, it says, but with the status of something else', 203, stored, ['waiting', waits, stranger]],
  ['no content', 204, undefined, ['waiting', waits, stranger]],
  [
    'set aside for a reason of later versions',
    202,
    { setAside: 'moon' },
    ['aside', aside, en.sent.why.aside],
  ],
])('%s', (_, status, body, said) => expectSaid(verdictOf(status, body, identifier), said));

test.each(setAsideReasons)('set aside: %s', (reason) => {
  expectSaid(verdictOf(202, { setAside: reason }, identifier), ['aside', aside, en.sent.why[reason]]);
});

const named = (name: string) => Object.assign(new Error('failed'), { name });

test.each<[string, unknown, Said]>([
  ['no network', new TypeError('Failed to fetch'), ['waiting', kept, 'Waiting for the internet']],
  ['no answer in time', named('TimeoutError'), ['waiting', unknown, en.sent.why.unknown]],
  ['an answer that ends in the middle', named('AbortError'), ['waiting', unknown, en.sent.why.unknown]],
  ['HTML with 200', new SyntaxError('Unexpected token <'), ['waiting', waits, stranger]],
  ['somebody else', new ForeignAnswer(), ['waiting', waits, stranger]],
  ['HTML with 403', problem(403), ['waiting', waits, stranger]],
  ['HTML with 404', problem(404), ['waiting', waits, stranger]],
  ['HTML with 401', problem(401), ['waiting', waits, stranger]],
  ['a Wi-Fi that wants a sign-in, by its own status', problem(511), ['waiting', waits, busy]],
  ['HTML with 502', problem(502), ['waiting', waits, busy]],
  ['408', problem(408), ['waiting', waits, busy]],
  ['425', problem(425), ['waiting', waits, busy]],
  [
    'a refusal of later versions',
    problem(409, { code: 'moon.full', detail: 'As it is.' }),
    ['refused', refused, other],
  ],
])('%s', (_, error, said) => expectSaid(verdictOfError(error), said));

test('after a fault of the way to the service the rest waits; after a refusal it is sent', () => {
  expect(stopsAll(verdictOfError(new TypeError('Failed to fetch')))).toBe(true);
  expect(stopsAll(verdictOfError(problem(500)))).toBe(false);
  expect(stopsAll(verdictOfError(problem(423, { code: 'item.locked' })))).toBe(false);
});

/** A correction is "saved" only by the service's own word, too. */
test.each<[string, unknown, keyof typeof en.sent]>([
  ['locked', problem(423, { code: 'item.locked' }), 'lockedNow'],
  ['frozen', problem(423, { code: 'study.frozen' }), 'frozenNow'],
  ['full', problem(409, { code: 'limit.reached' }), 'fullNow'],
  ['archived', problem(409, { code: 'item.archived' }), 'closedNow'],
  ['in an archived study', problem(409, { code: 'study.archived' }), 'closedNow'],
  ['gone', problem(404, { code: 'resource.not-found' }), 'missing'],
  ['changed elsewhere', problem(412, { code: 'revision.stale' }), 'stale'],
  ['no network', new TypeError('Failed to fetch'), 'unsure'],
  ['a Wi-Fi', problem(403), 'unsure'],
  ['a fault of the service', problem(500, { code: 'internal.error' }), 'unsure'],
])('a correction: %s', (_, error, key) => {
  for (const texts of Object.values(languages)) expect(changeFaultOf(error, texts)).toBe(texts.sent[key]);
});
