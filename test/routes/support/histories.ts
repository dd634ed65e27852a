import type { Operation } from '../../support/linearizability.ts';
import type { LockOp } from '../../support/lock-model.ts';
import type { Person } from '../../support/people.ts';
import { requestOf } from '../../support/people.ts';
import type { Study } from '../../support/studies.ts';
import { newApp, wrappedDb } from './apps.ts';

export type Random = () => number;

/**
 * An application whose database fails now and then, before a statement or after it, and takes its time, so that requests
 * overlap in every way. `rewrite` may break its SQL.
 */
export function faultyApp(random: Random, rewrite?: (query: string) => string) {
  const pause = () => new Promise((resolve) => setTimeout(resolve, random() * 4));
  const db = wrappedDb(async (_, answer) => {
    await pause();
    if (random() < 0.03) throw new Error('D1_ERROR: Network connection lost.');
    const rows = await answer();
    await pause();
    if (random() < 0.03) throw new Error('D1_ERROR: Network connection lost.');
    return rows;
  }, rewrite);
  return newApp({ db }).app;
}

type App = ReturnType<typeof faultyApp>;

export interface Subject {
  app: App;
  study: Study;
  cases: string[];
}

interface Request {
  method: string;
  path: string;
  body?: object;
}

type Template = { kind: LockOp['kind']; case: number; text: string };

/** A random operation; what it writes is found nowhere else. */
export function randomTemplate(random: Random, cases: number, unique: string): Template {
  const dice = random();
  const kind: LockOp['kind'] =
    dice < 0.3
      ? 'edit'
      : dice < 0.45
        ? 'create'
        : dice < 0.6
          ? 'lock'
          : dice < 0.72
            ? 'unlock'
            : dice < 0.77
              ? 'freeze'
              : dice < 0.83
                ? 'unfreeze'
                : 'read';
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
  const send = () => subject.app.request(path, requestOf({ method, token: person.token, body }));
  let response = await send();
  for (let tries = 0; response.status >= 500 && template.kind === 'create' && tries < 5; tries++)
    response = await send();
  const text = await response.text();
  const answered = answerOf(template, response.status, text);
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

function answerOf({ kind }: Template, status: number, text: string) {
  if (status >= 500) return 'lost';
  const body = text === '' ? {} : JSON.parse(text);
  if (status === 423) return body.code;
  if (status >= 300) throw new Error(`${kind}: ${status} ${text}`);
  return kind === 'read' ? { label: body.label, locked: body.lockedAt !== undefined } : 'ok';
}
