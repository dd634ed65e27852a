import type { ComponentChildren } from 'preact';
import { isProblem, type Revised, type Survey } from '../api.ts';
import { NothingHere } from '../screens/not-found.tsx';
import { useSurvey } from '../survey.ts';
import { FailedScreen } from './failed-screen.tsx';
import { Loading } from './states.tsx';

/** A screen of one survey, once it is read. */
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
