import type { ComponentChildren } from 'preact';
import { isProblem, type Revised, type Survey } from '../../api.ts';
import { FailedScreen } from '../../components/failed-screen.tsx';
import { NothingHere } from '../../components/not-found.tsx';
import { Loading } from '../../components/states.tsx';
import { useSurvey } from './use-survey.ts';

/** A screen of one survey, once loaded. */
export function SurveyPage({
  children,
}: {
  children: (survey: Revised<Survey>, reload: () => void) => ComponentChildren;
}) {
  const { data, error, isElsewhere, reload } = useSurvey();
  if (isElsewhere || isProblem(error, 'resource.not-found')) return <NothingHere />;
  if (data) return <>{children(data, reload)}</>;
  return error ? <FailedScreen error={error} onRetry={reload} /> : <Loading />;
}
