/* Screens that few people open: one file, which is loaded with the first of them. */

export { DatesFromTable } from './features/dates/dates-screen.tsx';
export { Codes } from './features/enrolment/codes-screen.tsx';
export { Information } from './features/enrolment/information-screen.tsx';
export { SetAsideScreen } from './features/items/set-aside-screen.tsx';
export { Programs } from './features/programs/programs-screen.tsx';
export { Settings } from './features/settings/settings-screen.tsx';
export { Webhooks } from './features/webhooks/webhook-list-screen.tsx';
export { WebhookPage } from './features/webhooks/webhook-screen.tsx';
