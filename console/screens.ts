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

const reading = (name: keyof typeof import('./reading-screens.ts').screens) =>
  loadScreen(() => import('./reading-screens.ts').then(({ screens }) => screens[name]));
const work = (name: keyof typeof import('./work-screens.ts').screens) =>
  loadScreen(() => import('./work-screens.ts').then(({ screens }) => screens[name]));
const setup = (name: keyof typeof import('./setup-screens.ts').screens) =>
  loadScreen(() => import('./setup-screens.ts').then(({ screens }) => screens[name]));

const { nav } = strings;
const staff = ['owner', 'editor'] as const;

/** In the order of the navigation. The study opens with the first screen that the person may see. */
export const screens: readonly Screen[] = [
  {
    path: '/overview',
    entry: { label: nav.overview, icon: 'overview' },
    roles: staff,
    component: reading('overview'),
  },
  {
    path: '/queue',
    roles: staff,
    component: work('queue'),
  },
  {
    path: '/participants',
    entry: { label: nav.participants, icon: 'people' },
    roles: staff,
    component: reading('participants'),
  },
  {
    path: '/participants/:user',
    roles: staff,
    component: reading('participant'),
  },
  {
    path: '/adherence',
    entry: { label: nav.adherence, icon: 'grid' },
    roles: staff,
    component: work('adherence'),
  },
  {
    path: '/data',
    entry: { label: nav.data, icon: 'table' },
    component: reading('data'),
  },
  {
    path: '/data/set-aside',
    roles: staff,
    component: reading('setAside'),
  },
  {
    path: '/data/cases/:case',
    component: reading('case'),
  },
  {
    path: '/data/responses/:response',
    component: reading('response'),
  },
  {
    path: '/data/responses/:response/edit',
    component: reading('answers'),
  },
  {
    path: '/surveys',
    entry: { label: nav.surveys, icon: 'survey' },
    component: setup('surveys'),
  },
  {
    path: '/surveys/:survey',
    component: setup('survey'),
  },
  {
    path: '/surveys/:survey/items',
    roles: staff,
    component: setup('surveyItems'),
  },
  {
    path: '/surveys/:survey/reminders',
    roles: staff,
    component: setup('reminders'),
  },
  {
    path: '/members',
    entry: { label: nav.members, icon: 'members' },
    component: setup('members'),
  },
  {
    path: '/members/codes',
    roles: staff,
    component: setup('codes'),
  },
  {
    path: '/members/information',
    roles: staff,
    component: setup('information'),
  },
  {
    path: '/activity',
    entry: { label: nav.activity, icon: 'history' },
    roles: staff,
    component: reading('activity'),
  },
  {
    path: '/webhooks',
    entry: { label: nav.webhooks, icon: 'link' },
    roles: ['owner'],
    component: setup('webhooks'),
  },
  {
    path: '/webhooks/:webhook',
    roles: ['owner'],
    component: setup('webhook'),
  },
  {
    path: '/settings',
    entry: { label: nav.settings, icon: 'settings' },
    roles: ['owner'],
    component: setup('settings'),
  },
];

export const screensFor = (role: Role): Screen[] =>
  screens.filter(({ roles }) => roles === undefined || roles.includes(role));
