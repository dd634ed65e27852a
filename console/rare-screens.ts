/* Screens that few people open: one file, which is loaded with the first of them. */

export { DatesFromTable } from './features/dates/dates-screen.tsx';
export { Programs } from './features/programs/programs-screen.tsx';
export { Webhooks } from './features/webhooks/webhook-list-screen.tsx';
export { WebhookPage } from './features/webhooks/webhook-screen.tsx';
