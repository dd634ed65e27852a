import type { FunctionComponent } from 'preact';
import type { Role } from './api.ts';
import { strings } from './common-strings.ts';
import type { IconName } from './components/icon.tsx';
import { Activity } from './features/activity/activity-screen.tsx';
import { Compliance } from './features/compliance/compliance-screen.tsx';
import { DatesFromTable } from './features/dates/dates-screen.tsx';
import { Codes } from './features/enrolment/codes-screen.tsx';
import { Information } from './features/enrolment/information-screen.tsx';
import { AnswersScreen } from './features/items/answers-screen.tsx';
import { CaseScreen } from './features/items/case-screen.tsx';
import { Data } from './features/items/item-lists-screen.tsx';
import { ResponseScreen } from './features/items/response-screen.tsx';
import { SetAsideScreen } from './features/items/set-aside-screen.tsx';
import { Members } from './features/members/members-screen.tsx';
import { Overview } from './features/overview/overview-screen.tsx';
import { Participants } from './features/participants/participant-list-screen.tsx';
import { ParticipantScreen } from './features/participants/participant-screen.tsx';
import { Queue } from './features/queue/queue-screen.tsx';
import { SurveyReminders } from './features/reminders/reminders-screen.tsx';
import { Settings } from './features/settings/settings-screen.tsx';
import { SurveyItems } from './features/surveys/survey-items-screen.tsx';
import { Surveys } from './features/surveys/survey-list-screen.tsx';
import { Survey } from './features/surveys/survey-screen.tsx';
import { Webhooks } from './features/webhooks/webhook-list-screen.tsx';
import { WebhookPage } from './features/webhooks/webhook-screen.tsx';

/** A screen of a study. */
export interface Screen {
  /** Below `/console/studies/:study`; `:name` becomes a parameter, which `useRoute` has. */
  path: string;
  /** Its entry in the navigation; other screens are reached by links. */
  entry?: { label: string; icon: IconName };
  /** The roles that see it; everybody, if absent. */
  roles?: readonly Role[];
  component: FunctionComponent;
}

const { nav } = strings;
const staff = ['owner', 'editor'] as const;

/** In the order of the navigation. The study opens with the first screen that the person may see. */
export const screens: readonly Screen[] = [
  {
    path: '/overview',
    entry: { label: nav.overview, icon: 'overview' },
    roles: staff,
    component: Overview,
  },
  {
    path: '/queue',
    roles: staff,
    component: Queue,
  },
  {
    path: '/participants',
    entry: { label: nav.participants, icon: 'people' },
    roles: staff,
    component: Participants,
  },
  {
    path: '/participants/:user',
    roles: staff,
    component: ParticipantScreen,
  },
  {
    path: '/compliance',
    entry: { label: nav.compliance, icon: 'grid' },
    roles: staff,
    component: Compliance,
  },
  {
    path: '/data',
    entry: { label: nav.data, icon: 'table' },
    component: Data,
  },
  {
    path: '/data/set-aside',
    roles: staff,
    component: SetAsideScreen,
  },
  {
    path: '/data/cases/:case',
    component: CaseScreen,
  },
  {
    path: '/data/responses/:response',
    component: ResponseScreen,
  },
  {
    path: '/data/responses/:response/edit',
    component: AnswersScreen,
  },
  {
    path: '/surveys',
    entry: { label: nav.surveys, icon: 'survey' },
    component: Surveys,
  },
  {
    path: '/surveys/:survey',
    component: Survey,
  },
  {
    path: '/surveys/:survey/items',
    roles: staff,
    component: SurveyItems,
  },
  {
    path: '/surveys/:survey/reminders',
    roles: staff,
    component: SurveyReminders,
  },
  {
    path: '/members',
    entry: { label: nav.members, icon: 'members' },
    component: Members,
  },
  {
    path: '/members/codes',
    roles: staff,
    component: Codes,
  },
  {
    path: '/members/dates',
    roles: staff,
    component: DatesFromTable,
  },
  {
    path: '/members/information',
    roles: staff,
    component: Information,
  },
  {
    path: '/activity',
    entry: { label: nav.activity, icon: 'history' },
    roles: staff,
    component: Activity,
  },
  {
    path: '/webhooks',
    entry: { label: nav.webhooks, icon: 'link' },
    roles: ['owner'],
    component: Webhooks,
  },
  {
    path: '/webhooks/:webhook',
    roles: ['owner'],
    component: WebhookPage,
  },
  {
    path: '/settings',
    entry: { label: nav.settings, icon: 'settings' },
    roles: ['owner'],
    component: Settings,
  },
];

export const screensFor = (role: Role): Screen[] =>
  screens.filter(({ roles }) => roles === undefined || roles.includes(role));
