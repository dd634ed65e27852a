import { useLookUps } from '../../answers.ts';
import { type AnswerOf, api, read } from '../../api.ts';
import type { Question } from '../../names.ts';

const route = api.survey[':id'].items;

/** The items of a survey as they were at a time; null if the log does not know them. */
export type Wording = AnswerOf<typeof route.$get>;

/** A survey, and the time at which it was answered. */
export interface Answered {
  survey: string;
  at: string;
}

/** Finds the items of a survey as they were at a time; undefined while they load. */
export type FindWording = (answered: Answered) => Wording | undefined;

/**
 * The wording of surveys at the times at which they were answered. One request for each survey that has not changed since, and one for
 * each time of the others.
 */
export function useWordings(answered: readonly Answered[]): FindWording {
  const oldest = new Map<string, string>();
  for (const { survey, at } of answered) {
    const known = oldest.get(survey);
    if (known === undefined || at < known) oldest.set(survey, at);
  }
  const first = useLookUps('wording', [...oldest].map(keyOf), lookUp);
  const ofOldest = (survey: string) => first.get(keyOf([survey, oldest.get(survey) ?? '']));
  const isCovered = ({ survey, at }: Answered) => {
    const wording = ofOldest(survey);
    return !wording || wording.changedAt === undefined || at < wording.changedAt;
  };
  const others = answered.filter((answer) => !isCovered(answer)).map(({ survey, at }) => keyOf([survey, at]));
  const more = useLookUps('wording', others, lookUp);
  return (answer) =>
    (isCovered(answer) ? ofOldest(answer.survey) : more.get(keyOf([answer.survey, answer.at]))) ?? undefined;
}

const keyOf = (parts: readonly string[]) => parts.join(' ');

function lookUp(key: string): Promise<Wording> {
  const [id = '', at = ''] = key.split(' ');
  return read(route.$get({ param: { id }, query: { at } }));
}

/** An item as it was asked; as it is now, while that loads or if nobody knows. */
export const askedAs = (
  key: string,
  wording: Wording | undefined,
  items: readonly Question[],
): Question | undefined => (wording?.items ?? items).find(({ identifier }) => identifier === key);
