import type { Operation } from './linearizability.ts';
import type { LockOp } from './lock-model.ts';
import { type Person, requestOf } from './people.ts';
import type { Study } from './studies.ts';

/** An answer; null when the connection broke before it. */
export type Sent = { status: number; text: string } | null;

/** The source of a history. */
export interface Subject {
  send: (path: string, init: RequestInit) => Promise<Sent>;
  study: Pick<Study, 'id' | 'survey'>;
  cases: string[];
}

interface Request {
  method: string;
  path: string;
  body?: object;
}

type Template = { kind: LockOp['kind']; case: number; text: string };

/** Below which number of a die each kind of request is sent; the rest are reads. */
export type Shares = readonly [LockOp['kind'], number][];

const allKinds: Shares = [
  ['edit', 0.3],
  ['create', 0.44],
  ['lock', 0.54],
  ['lock-all', 0.6],
  ['unlock', 0.68],
  ['unlock-all', 0.73],
  ['freeze', 0.78],
  ['unfreeze', 0.84],
];

/** A random operation; the value that it writes is unique. */
export function randomTemplate(
  random: () => number,
  cases: number,
  unique: string,
  shares = allKinds,
): Template {
  const dice = random();
  const [kind = 'read'] = shares.find(([, below]) => dice < below) ?? [];
  return { kind, case: Math.floor(random() * cases), text: unique };
}

function requestFor({ study, cases }: Subject, { kind, case: n, text }: Template): Request {
  const path = `/investigation/${study.id}`;
  const item = cases[n] ?? '';
  switch (kind) {
    case 'edit':
      return { method: 'PATCH', path: `/case/${item}`, body: { label: text } };
    case 'create':
      return {
        method: 'POST',
        path: `/survey/${study.survey}/response`,
        body: { case: item, items: {}, identifier: text },
      };
    case 'lock':
    case 'unlock':
      return {
        method: 'POST',
        path: `${path}/lock-items`,
        body: { cases: [{ identifier: item }], status: `${kind}ed` },
      };
    case 'lock-all':
    case 'unlock-all':
      return {
        method: 'POST',
        path: `${path}/lock-matching`,
        body: { status: kind === 'lock-all' ? 'locked' : 'unlocked', filter: { kinds: ['cases'] } },
      };
    case 'freeze':
    case 'unfreeze':
      return {
        method: 'POST',
        path: `${path}/freeze`,
        body: { status: kind === 'freeze' ? 'frozen' : 'active', reason: 'A history' },
      };
    case 'read':
      return { method: 'GET', path: `/case/${item}` };
  }
}

/** Counts what begins and ends. */
export const newClock = () => {
  let ticks = 0;
  return () => ++ticks;
};

/** Sends one operation; creations are repeated with their identifier until somebody answers. */
export async function perform(
  subject: Subject,
  person: Person,
  template: Template,
  tick: () => number,
): Promise<Operation<LockOp>> {
  const { method, path, body } = requestFor(subject, template);
  const began = tick();
  const send = () => subject.send(path, requestOf({ method, token: person.token, body }));
  let answer = await send();
  for (let tries = 0; isLost(answer) && template.kind === 'create' && tries < 5; tries++)
    answer = await send();
  const answered = answer === null || isLost(answer) ? 'lost' : answerOf(template, answer);
  const { kind, case: n } = template;
  const op = {
    kind,
    case: n,
    ...(kind === 'edit' && { label: template.text }),
    ...(kind === 'create' && { response: template.text }),
    answer: answered,
  } as LockOp;
  return { client: person.name, op, began, ended: answered === 'lost' ? Infinity : tick() };
}

/** The outcome is unknown: the answer says so, or there is none. */
const isLost = (answer: Sent) => answer === null || answer.status >= 500;

function answerOf({ kind }: Template, { status, text }: NonNullable<Sent>) {
  const body = text === '' ? {} : JSON.parse(text);
  if (status === 423) return body.code;
  if (status >= 300) throw new Error(`${kind}: ${status} ${text}`);
  return kind === 'read' ? { label: body.label, locked: body.lockedAt !== undefined } : 'ok';
}
