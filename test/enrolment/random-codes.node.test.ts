import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newIdentifier } from '../../src/identifiers.ts';
import { newCode } from '../support/participants.ts';
import { created } from '../support/people.ts';
import { signUp } from '../support/worker/world.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const codes = 400;

/** A code as a number of 60 bits. */
const bitsOf = (code: string): bigint =>
  [...code.replaceAll('-', '')].reduce((bits, one) => bits * 32n + BigInt(alphabet.indexOf(one)), 0n);

/** The number of bits that do not follow from others: the rank of the numbers over the field of two elements. */
function independentBits(numbers: readonly bigint[]): number {
  const basis = new Map<number, bigint>();
  for (let rest of numbers)
    while (rest !== 0n) {
      const top = rest.toString(2).length;
      const known = basis.get(top);
      if (known === undefined) {
        basis.set(top, rest);
        break;
      }
      rest ^= known;
    }
  return basis.size;
}

test('a code has 60 random bits: every character everywhere, and none that follows from others', async () => {
  const ada = await signUp('Ada');
  const study = created(await ada.post('/investigation', { name: 'Crowd' })).identifier;
  const made: string[] = [];
  for (let n = 0; n < codes; n++) made.push((await newCode(ada, study)).code);
  expect(new Set(made).size).toBe(codes);
  for (const at of [0, 1, 2, 3, 5, 6, 7, 8, 10, 11, 12, 13])
    expect(new Set(made.map((code) => code[at])).size, `characters at ${at}`).toBe(alphabet.length);
  const [first = 0n, ...others] = made.map(bitsOf);
  expect(independentBits(others.map((bits) => bits ^ first))).toBe(60);
});

test('a code for a new phone has as many', async () => {
  const ada = await signUp('Ada');
  const study = created(await ada.post('/investigation', { name: 'Clinic' })).identifier;
  const { identifier } = await newCode(ada, study);
  const [user, now] = [newIdentifier(Date.now()), Date.now()];
  await env.DB.batch([
    env.DB.prepare(
      "insert into user (id, issuer, subject, name, enrolment_id, created_at) values (?1, 'urn:fieldbell:participants', ?1, 'Chidi', ?2, ?3)",
    ).bind(user, identifier, now),
    env.DB.prepare(
      "insert into member (investigation_id, user_id, role, created_at) values (?1, ?2, 'responder', ?3)",
    ).bind(study, user, now),
  ]);
  const made: bigint[] = [];
  for (let n = 0; n < codes / 4; n++)
    made.push(bitsOf(created(await ada.post(`/investigation/${study}/member/${user}/relink`)).code));
  const [first = 0n, ...others] = made;
  expect(independentBits(others.map((bits) => bits ^ first))).toBe(60);
});
