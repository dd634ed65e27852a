import { useRoute } from 'preact-iso/router';
import { useAnswer } from '../../answers.ts';
import { api, revised } from '../../api.ts';
import { useStudy } from '../../study-context.ts';

/** The survey whose identifier is in the address, with its revision. */
export function useSurvey() {
  const { survey: id = '' } = useRoute().params;
  const answer = useAnswer(['survey', id], async (options) =>
    revised(await api.survey[':id'].$get({ param: { id } }, options)),
  );
  const { study } = useStudy();
  // The previous survey, while this one loads, or a survey of another study in an address that somebody typed.
  const { identifier, investigation } = answer.data?.value ?? {};
  const isHere = identifier === id && investigation === `investigation/${study.identifier}`;
  return { ...answer, data: isHere ? answer.data : undefined, isElsewhere: identifier === id && !isHere };
}
