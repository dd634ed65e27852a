import { createMiddleware } from 'hono/factory';
import { notFound } from '../../errors.ts';
import type { Env } from '../context.ts';
import type { ParticipantTokens } from './participant-tokens.ts';

/** Without a key for participants, their routes are as if they were not there. @throws resource.not-found */
export const requireParticipants = (tokens: ParticipantTokens | undefined) =>
  createMiddleware<Env>((c, next) => {
    if (!tokens) throw notFound('resource');
    c.set('participantTokens', tokens);
    return next();
  });
