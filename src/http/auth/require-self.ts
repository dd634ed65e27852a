import type { Context } from '../../context.ts';
import { forbidden } from '../../errors.ts';
import { readCoMember } from '../../people/users.ts';

/** `me` stands for the caller. */
export const resolveUser = (id: string, actor: string) => (id === 'me' ? actor : id);

/**
 * Resolves to the caller's identifier if the path names them. Another user is 403 if the caller may see them, and 404
 * otherwise. @throws action.forbidden, resource.not-found
 */
export async function requireSelf(context: Context, id: string): Promise<string> {
  const { actor } = context;
  const user = resolveUser(id, actor);
  if (user === actor) return actor;
  await readCoMember(context, user);
  throw forbidden('Only the user themselves may do this.');
}
