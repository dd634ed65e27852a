import type { Person } from '../support/people.ts';
import type { Random } from '../support/random.ts';

/** The changes that the service has confirmed, and those that it may have made when it was killed before the answer. */
export interface Ledger {
  /** By case: the labels that may stand there; the last acknowledged one, and any that was under way. */
  labels: Map<string, Set<string>>;
  locked: Set<string>;
  /** How many writes were acknowledged. */
  acknowledged: number;
}

export const newLedger = (): Ledger => ({ labels: new Map(), locked: new Set(), acknowledged: 0 });

/** Creates, edits and locks cases, one request after the other, until the service does not answer any more. */
export async function write(ledger: Ledger, by: Person, study: string, random: Random): Promise<void> {
  const note = (status: number, expected: number) => {
    if (status !== expected) throw new Error(`expected ${expected}, got ${status}`);
    ledger.acknowledged += 1;
  };
  for (;;) {
    const identifier = hex(random);
    const first = `Night ${random.int(1000)}`;
    ledger.labels.set(identifier, new Set());
    const creation = by.post(`/investigation/${study}/case`, { label: first, identifier });
    if (!(await answered(creation, (s) => note(s, 201)))) return;
    ledger.labels.set(identifier, new Set([first]));

    const second = `${first}, edited`;
    ledger.labels.get(identifier)?.add(second);
    if (!(await answered(by.patch(`/case/${identifier}`, { label: second }), (s) => note(s, 200)))) return;
    ledger.labels.set(identifier, new Set([second]));

    const lock = { cases: [{ identifier }], status: 'locked' };
    if (!(await answered(by.post(`/investigation/${study}/lock-items`, lock), (s) => note(s, 204)))) return;
    ledger.locked.add(identifier);
  }
}

/** False when the connection broke: then nobody knows whether it was done. */
async function answered(
  request: Promise<{ status: number }>,
  note: (status: number) => void,
): Promise<boolean> {
  const answer = await request.catch(() => null);
  if (answer) note(answer.status);
  return answer !== null;
}

const hex = (random: Random) => Array.from({ length: 32 }, () => random.int(16).toString(16)).join('');
