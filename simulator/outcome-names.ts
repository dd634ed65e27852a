import type { Run } from './context.ts';
import type { Shown } from './results.ts';

/** Names in place of identifiers, which depend on the service's draws and on the form that it gives them. */
export interface Names {
  /** Of a notification, such as `2027-06-08 slot 2`; of an unknown one `?`. */
  ofNotification(identifier: string): string;
  /** Of the phone of a result. */
  ofPhone(delivery: { device: string; messageId?: string }): string;
  /** The value with names for all identifiers in it. */
  named<T>(value: T): T;
}

const identifiers = /\b[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\b/g;
const plain = (identifier: string) => identifier.replaceAll('-', '');

export function createNames({ records, relay }: Run, histories: ReadonlyMap<string, Shown[]>): Names {
  const members = [...records.members.values()];
  const names = new Map<string, string>([[records.study.id, 'the study']]);
  for (const { id, name } of records.surveys.values()) names.set(id, name);
  for (const { id, name, answers } of members) {
    if (id !== '') names.set(id, name);
    for (const [n, answer] of answers.entries()) names.set(answer.id, `answer ${n + 1} of ${name}`);
  }
  const notifications = new Map([...histories.values()].flatMap((shown) => nameAll(shown, names)));
  const phones = new Map(
    members.flatMap((member) => member.phones.map(({ id, token }) => [String(id), token])),
  );
  const tokenOf = new Map(relay.accepted.map(({ messageId, token }) => [messageId, token]));
  return {
    ofNotification: (identifier) => notifications.get(identifier) ?? '?',
    ofPhone: ({ device, messageId = '' }) => phones.get(device) ?? tokenOf.get(messageId) ?? 'another phone',
    named: (value) =>
      JSON.parse(
        JSON.stringify(value).replace(
          identifiers,
          (id) => names.get(plain(id)) ?? notifications.get(id) ?? notifications.get(plain(id)) ?? '?',
        ),
      ),
  };
}

/** Occurrences of one date under several revisions have numbers, in order of time. */
function nameAll(shown: readonly Shown[], names: ReadonlyMap<string, string>): [string, string][] {
  const seen = new Map<string, number>();
  return shown.map(({ identifier, survey, on, slot, response }) => {
    const after = response === undefined ? '' : ` after ${names.get(plain(response)) ?? 'a response'}`;
    const name = `${on}${slot === undefined ? '' : ` slot ${slot}`}${after}`;
    const n = (seen.get(`${survey} ${name}`) ?? 0) + 1;
    seen.set(`${survey} ${name}`, n);
    return [identifier, n === 1 ? name : `${name} (${n})`];
  });
}
