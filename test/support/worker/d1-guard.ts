import { env } from 'cloudflare:workers';
import { AsyncLocalStorage } from 'node:async_hooks';
import worker, { DeliveryObject, UserAlarm } from '../../../src/worker.ts';
import { checkStatement, checkStatements, type DatabaseLimitError } from '../d1-limits.ts';
import { noteText } from './plans.ts';

/*
 * The local D1 takes what the real one refuses, such as a parameter over 2 MB, or more than 1,000 statements of one
 * invocation. From here on it refuses them too, whoever prepares them.
 */

interface Statement extends D1PreparedStatement {
  statement: string;
}

const statements = Object.getPrototypeOf(env.DB.prepare('select 1')) as Statement;
const sessions = Object.getPrototypeOf(env.DB.withSession()) as D1DatabaseSession;
const { bind } = statements;

statements.bind = function (this: Statement, ...values) {
  checkStatement(this.statement, values);
  noteText(this.statement);
  return bind.apply(this, values);
};

/** Binds values as the local D1 does by itself. */
export const bindUnchecked = (statement: D1PreparedStatement, values: unknown[]): D1PreparedStatement =>
  bind.apply(statement as Statement, values);

interface Invocation {
  statements: number;
}

const current = new AsyncLocalStorage<Invocation>();

/** Refusals since they were last taken: work that handles its own errors must not hide them. */
let refusals: DatabaseLimitError[] = [];

export function takeRefusals(): DatabaseLimitError[] {
  const taken = refusals;
  refusals = [];
  return taken;
}

/** Runs what the platform would run as one invocation, with whatever it defers. Within another it is part of that one. */
export const asInvocation = <T>(work: () => T): T => (current.getStore() ? work() : begin(work));

let newest: Invocation = { statements: 0 };

function begin<T>(work: () => T): T {
  newest = { statements: 0 };
  return current.run(newest, work);
}

/** The statements of the newest invocation so far. */
export const statementsOfNewest = (): number => newest.statements;

function count(more: number) {
  const invocation = current.getStore();
  if (!invocation) return;
  invocation.statements += more;
  try {
    checkStatements(invocation.statements);
  } catch (error) {
    refusals.push(error as DatabaseLimitError);
    throw error;
  }
}

/** Replaces a method by one that runs `before` first. */
function precede<T extends object, K extends keyof T>(target: T, name: K, before: (args: unknown[]) => void) {
  const method = target[name] as (...args: unknown[]) => unknown;
  target[name] = async function (this: unknown, ...args: unknown[]) {
    before(args);
    return method.apply(this, args);
  } as T[K];
}

for (const name of ['all', 'first', 'run', 'raw'] as const) precede(statements, name, () => count(1));
precede(sessions, 'batch', ([batch]) => count((batch as unknown[]).length));

/** Each call from outside is an invocation of its own. */
function invoke<T extends object, K extends keyof T>(target: T, name: K) {
  const method = target[name] as (...args: unknown[]) => unknown;
  target[name] = function (this: unknown, ...args: unknown[]) {
    return begin(() => method.apply(this, args));
  } as T[K];
}

for (const name of ['fetch', 'scheduled'] as const) invoke(worker, name);
// An alarm delivers by the same method.
invoke(UserAlarm.prototype, 'deliver');
for (const name of ['claim', 'settle', 'plan'] as const) invoke(DeliveryObject.prototype, name);
