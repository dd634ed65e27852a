import type { FunctionComponent } from 'preact';
import { strings } from './common-strings.ts';
import type { IconName } from './components/icon.tsx';
import { lazy } from './components/lazy.tsx';
import { Activity } from './features/activity/activity-screen.tsx';
import { Compliance } from './features/compliance/compliance-screen.tsx';
import { AnswersScreen } from './features/items/answers-screen.tsx';
import { CaseScreen } from './features/items/case-screen.tsx';
import { Data } from './features/items/item-lists-screen.tsx';
import { ResponseScreen } from './features/items/response-screen.tsx';
import { Members } from './features/members/members-screen.tsx';
import { Overview } from './features/overview/overview-screen.tsx';
import { Participants } from './features/participants/participant-list-screen.tsx';
import { ParticipantScreen } from './features/participants/participant-screen.tsx';
import { Queue } from './features/queue/queue-screen.tsx';
import { SurveyReminders } from './features/reminders/reminders-screen.tsx';
import { SurveyItems } from './features/surveys/survey-items-screen.tsx';
import { Surveys } from './features/surveys/survey-list-screen.tsx';
import { Survey } from './features/surveys/survey-screen.tsx';
import { may, type Right, type Standing } from './roles.ts';

/** A screen of a study. */
export interface Screen {
  /** Below `/console/studies/:study`; `:name` becomes a parameter, which `useRoute` has. */
  path: string;
  /** Its entry in the navigation; other screens are reached by links. */
  entry?: { label: string; icon: IconName };
  /** Needed to see it; everybody does, if absent. */
  right?: Right;
  component: FunctionComponent;
}

const rare = (name: keyof typeof import('./rare-screens.ts')) =>
  lazy(async () => (await import('./rare-screens.ts'))[name]);

const { nav } = strings;

/** In the order of the navigation. The study opens with the first screen that the person may see. */
export const screens: readonly Screen[] = [
  {
    path: '/overview',
    entry: { label: nav.overview, icon: 'overview' },
    right: 'readAll',
    component: Overview,
  },
  {
    path: '/queue',
    right: 'readAll',
    component: Queue,
  },
  {
    path: '/participants',
    entry: { label: nav.participants, icon: 'people' },
    right: 'readAll',
    component: Participants,
  },
  {
    path: '/participants/:user',
    right: 'readAll',
    component: ParticipantScreen,
  },
  {
    path: '/compliance',
    entry: { label: nav.compliance, icon: 'grid' },
    right: 'readAll',
    component: Compliance,
  },
  {
    path: '/data',
    entry: { label: nav.data, icon: 'table' },
    component: Data,
  },
  {
    path: '/data/set-aside',
    right: 'readAll',
    component: rare('SetAsideScreen'),
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
    right: 'record',
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
    right: 'design',
    component: SurveyItems,
  },
  {
    path: '/surveys/:survey/reminders',
    right: 'design',
    component: SurveyReminders,
  },
  {
    path: '/members',
    entry: { label: nav.members, icon: 'members' },
    component: Members,
  },
  {
    path: '/members/codes',
    right: 'edit',
    component: rare('Codes'),
  },
  {
    path: '/members/dates',
    right: 'edit',
    component: rare('DatesFromTable'),
  },
  {
    path: '/members/information',
    right: 'design',
    component: rare('Information'),
  },
  {
    path: '/activity',
    entry: { label: nav.activity, icon: 'history' },
    right: 'readAll',
    component: Activity,
  },
  {
    path: '/webhooks',
    entry: { label: nav.webhooks, icon: 'link' },
    right: 'own',
    component: rare('Webhooks'),
  },
  {
    path: '/webhooks/:webhook',
    right: 'own',
    component: rare('WebhookPage'),
  },
  {
    path: '/programs',
    entry: { label: nav.programs, icon: 'key' },
    right: 'own',
    component: rare('Programs'),
  },
  {
    path: '/settings',
    entry: { label: nav.settings, icon: 'settings' },
    right: 'own',
    component: rare('Settings'),
  },
];

export const screensFor = (standing: Standing): Screen[] =>
  screens.filter(({ right }) => right === undefined || may(standing, right));
