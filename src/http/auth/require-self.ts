import type { Context } from 'hono';
import { forbidden } from '../../errors.ts';
import { readCoMember } from '../../model/users.ts';
import type { Env } from '../context.ts';

/** `me` stands for the caller. */
export const resolveUser = (id: string, actor: string) => (id === 'me' ? actor : id);

/**
 * The caller, when the path names them. Somebody else is 403 when the caller sees them, 404 otherwise.
 * @throws action.forbidden, resource.not-found
 */
export async function requireSelf(c: Context<Env>, id: string): Promise<string> {
  const actor = c.get('actor');
  const user = resolveUser(id, actor);
  if (user === actor) return actor;
  await readCoMember(c.get('services').db, actor, user);
  throw forbidden('Only the user themselves may do this.');
}
