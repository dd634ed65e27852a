import { Codes } from './features/enrolment/codes-screen.tsx';
import { Information } from './features/enrolment/information-screen.tsx';
import { Members } from './features/members/members-screen.tsx';
import { SurveyReminders } from './features/reminders/reminders-screen.tsx';
import { Settings } from './features/settings/settings-screen.tsx';
import { SurveyItems } from './features/surveys/survey-items-screen.tsx';
import { Surveys } from './features/surveys/survey-list-screen.tsx';
import { Survey } from './features/surveys/survey-screen.tsx';
import { Webhooks } from './features/webhooks/webhook-list-screen.tsx';
import { WebhookPage } from './features/webhooks/webhook-screen.tsx';

/** The screens that set a study up. They are one file of the build, which comes behind the first screen. */
export const screens = {
  surveys: Surveys,
  survey: Survey,
  surveyItems: SurveyItems,
  reminders: SurveyReminders,
  members: Members,
  webhooks: Webhooks,
  webhook: WebhookPage,
  codes: Codes,
  information: Information,
  settings: Settings,
};
