import { Icon } from '../../components/icon.tsx';
import { lazy } from '../../components/lazy.tsx';
import { SurveyPage } from '../surveys/survey-page.tsx';
import { strings as surveyStrings } from '../surveys/survey-strings.ts';

/** Days, times and texts of a survey's reminders. */
export const SurveyReminders = () => (
  <SurveyPage>{(survey) => (survey.value.archivedAt ? <Archived /> : <Editor record={survey} />)}</SurveyPage>
);

const Archived = () => (
  <p class="note">
    <Icon name="archive" /> {surveyStrings.archivedNote}
  </p>
);

const Editor = lazy(async () => (await import('./reminder-editor.tsx')).ReminderEditor);
