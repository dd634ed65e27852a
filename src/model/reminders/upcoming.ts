import { forbidden, notFound } from '../../errors.ts';
import { occurrencesFrom, type Shown } from '../../schedule/occurrences.ts';
import type { Context } from '../context.ts';
import { selectSurveyRole } from './history.ts';
import { readSurveyReminders } from './state.ts';

/**
 * The next `count` occurrences of a survey for a user: the actor, or for owners and editors anyone in the study.
 * @throws resource.not-found, action.forbidden
 */
export async function listUpcoming(
  context: Pick<Context, 'db' | 'actor' | 'now' | 'log'>,
  { survey, user }: { survey: string; user: string },
  count: number,
): Promise<Shown[]> {
  const { db, actor, now } = context;
  const [me] = await selectSurveyRole(db, actor, { survey, user });
  if (!me) throw notFound('survey');
  if (user !== actor && me.role === 'responder')
    throw forbidden('Only owners and editors see the reminders of others.');
  if (!me.includesUser) throw notFound('user');
  const state = await readSurveyReminders(context, user, survey);
  return state ? occurrencesFrom(state, now, count) : [];
}
