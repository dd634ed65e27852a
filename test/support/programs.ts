import { created, type Person, personWith, signedIn, type World } from './people.ts';

const dayMs = 24 * 3600 * 1000;

/** An instant, as a request has it. */
export const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();

/** A program of a study, with its token, which an owner makes who has just signed in. */
export async function newProgram(
  world: World,
  owner: Person,
  study: string,
  { label = 'Nightly copy', expiresAt = inDays(30) } = {},
): Promise<Person> {
  const fresh = await signedIn(world, owner);
  const { identifier, token } = created(
    await fresh.post(`/investigation/${study}/token`, { label, expiresAt }),
  );
  return personWith(world, { name: label, id: identifier, email: '', token });
}
