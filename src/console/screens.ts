import type { Role } from './api.ts';
import { strings } from './common-strings.ts';
import type { IconName } from './components/icon.tsx';
import { type LoadedScreen, loadScreen } from './components/load-screen.tsx';

/** A screen of a study. Each is a file of its own, loaded when first opened. */
export interface Screen {
  /** Below `/console/studies/:study`; `:name` becomes a parameter, which `useRoute` has. */
  path: string;
  /** Its entry in the navigation; without one, links lead to it. */
  entry?: { label: string; icon: IconName };
  /** The roles that see it; everybody, if absent. */
  roles?: readonly Role[];
  component: LoadedScreen;
}

const { nav } = strings;
const staff = ['owner', 'editor'] as const;

/** In the order of the navigation. The study opens with the first screen that the person may see. */
export const screens: readonly Screen[] = [
  {
    path: '/overview',
    entry: { label: nav.overview, icon: 'overview' },
    roles: staff,
    component: loadScreen(() =>
      import('./features/overview/overview-screen.tsx').then(({ Overview }) => Overview),
    ),
  },
  {
    path: '/participants',
    entry: { label: nav.participants, icon: 'people' },
    roles: staff,
    component: loadScreen(() =>
      import('./features/participants/participant-list-screen.tsx').then(({ Participants }) => Participants),
    ),
  },
  {
    path: '/participants/:user',
    roles: staff,
    component: loadScreen(() =>
      import('./features/participants/participant-screen.tsx').then(
        ({ ParticipantScreen }) => ParticipantScreen,
      ),
    ),
  },
  {
    path: '/data',
    entry: { label: nav.data, icon: 'table' },
    component: loadScreen(() => import('./features/items/item-lists-screen.tsx').then(({ Data }) => Data)),
  },
  {
    path: '/data/responses/:response',
    component: loadScreen(() =>
      import('./features/items/response-screen.tsx').then(({ ResponseScreen }) => ResponseScreen),
    ),
  },
  {
    path: '/surveys',
    entry: { label: nav.surveys, icon: 'survey' },
    component: loadScreen(() =>
      import('./features/surveys/survey-list-screen.tsx').then(({ Surveys }) => Surveys),
    ),
  },
  {
    path: '/surveys/:survey',
    component: loadScreen(() => import('./features/surveys/survey-screen.tsx').then(({ Survey }) => Survey)),
  },
  {
    path: '/surveys/:survey/items',
    roles: staff,
    component: loadScreen(() =>
      import('./features/surveys/survey-items-screen.tsx').then(({ SurveyItems }) => SurveyItems),
    ),
  },
  {
    path: '/surveys/:survey/reminders',
    roles: staff,
    component: loadScreen(() =>
      import('./features/reminders/reminders-screen.tsx').then(({ SurveyReminders }) => SurveyReminders),
    ),
  },
  {
    path: '/members',
    entry: { label: nav.members, icon: 'members' },
    component: loadScreen(() =>
      import('./features/members/members-screen.tsx').then(({ Members }) => Members),
    ),
  },
  {
    path: '/activity',
    entry: { label: nav.activity, icon: 'history' },
    roles: staff,
    component: loadScreen(() =>
      import('./features/activity/activity-screen.tsx').then(({ Activity }) => Activity),
    ),
  },
  {
    path: '/settings',
    entry: { label: nav.settings, icon: 'settings' },
    roles: ['owner'],
    component: loadScreen(() =>
      import('./features/settings/settings-screen.tsx').then(({ Settings }) => Settings),
    ),
  },
];

export const screensFor = (role: Role): Screen[] =>
  screens.filter(({ roles }) => roles === undefined || roles.includes(role));
