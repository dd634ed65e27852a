import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { RouterRoute } from 'hono/types';
import type { Config } from './config.ts';
import { createAuditKey } from './http/audit-key.ts';
import { createAuth } from './http/auth/authenticate.ts';
import { conditionalGet } from './http/conditional-get.ts';
import type { Env } from './http/context.ts';
import { crossOrigin } from './http/cross-origin.ts';
import { d1Session } from './http/d1-session.ts';
import { jsonBodies, limitBody, unlessReading } from './http/json-body.ts';
import { outbox } from './http/outbox.ts';
import { onError, onNotFound } from './http/problems.ts';
import { limitRefused, limitUsers } from './http/rate-limits.ts';
import { requestContext } from './http/request-context.ts';
import { allowedMethods, type Routes, refuseUnusedBody, refuseUnusedQuery } from './http/routing.ts';
import { startReplans } from './jobs/outbox.ts';
import { activities } from './routes/activities.ts';
import { createHeads, createKeySetRoute } from './routes/activity-heads.ts';
import { activityItems } from './routes/activity-items.ts';
import { activityVerification } from './routes/activity-verification.ts';
import { agenda } from './routes/agenda.ts';
import { attention } from './routes/attention.ts';
import { avatars } from './routes/avatar.ts';
import { cases } from './routes/cases.ts';
import { compliance } from './routes/compliance.ts';
import { createConsole } from './routes/console.ts';
import { devices } from './routes/devices.ts';
import { createDocument } from './routes/document.ts';
import { downloads } from './routes/downloads.ts';
import { freezes } from './routes/freezes.ts';
import { investigations } from './routes/investigations.ts';
import { invitations } from './routes/invitations.ts';
import { itemStates } from './routes/item-states.ts';
import { lockMatching } from './routes/lock-matching.ts';
import { members } from './routes/members.ts';
import { notifications } from './routes/notifications.ts';
import { createOperations } from './routes/operations.ts';
import { participants } from './routes/participants.ts';
import { pauses } from './routes/pauses.ts';
import { problems } from './routes/problems.ts';
import { receipts } from './routes/receipts.ts';
import { relayEvents } from './routes/relay-events.ts';
import { reminders } from './routes/reminders.ts';
import { responseList } from './routes/response-list.ts';
import { responses } from './routes/responses.ts';
import { revisions } from './routes/revisions.ts';
import { surveys } from './routes/surveys.ts';
import { userExport } from './routes/user-export.ts';
import { signUps, users } from './routes/users.ts';
import type { Services } from './services.ts';

const unlimited = {
  studies: Infinity,
  memberships: Infinity,
  surveys: Infinity,
  members: Infinity,
  cases: Infinity,
  revisions: Infinity,
  studyBytes: Infinity,
  activities: Infinity,
  invitations: Infinity,
  invitationsFromOne: Infinity,
  matching: 100_000,
};

/** The HTTP application, for every runtime: middleware in order, routes, error handling. */
export function createApp(
  services: Services,
  config: Pick<Config, 'auth' | 'metricsToken' | 'auditSigningKey'> &
    Partial<Pick<Config, 'corsOrigins' | 'limits' | 'console'>>,
) {
  const auth = createAuth(config.auth);
  const auditKey = createAuditKey(config.auditSigningKey);
  let routes: RouterRoute[] = [];
  let router: Routes | undefined;
  const app = new Hono<Env>()
    .onError(onError)
    .notFound(onNotFound)
    .use(requestContext(services, config.limits ?? unlimited, () => router))
    // Outside the general one, so that it has the last word: other sites show these pictures.
    .use('/user/:id/avatar', secureHeaders({ crossOriginResourcePolicy: 'cross-origin' }))
    .use(secureHeaders())
    .use(crossOrigin(config.corsOrigins ?? []))
    .route('/', createOperations(config.metricsToken))
    .route('/', createKeySetRoute(auditKey))
    .route('/', problems)
    .route(
      '/',
      createDocument(() => routes),
    )
    .route('/', createConsole(consoleSettings(config)))
    .use(limitRefused())
    .use(allowedMethods(() => router))
    .use('/relay/*', limitBody)
    .route('/', relayEvents)
    .use(conditionalGet)
    .use(d1Session)
    .use('/user/me/avatar', auth.identify, limitUsers, auth.signedUp)
    .route('/', avatars)
    .use(auth.identify)
    .use(limitUsers)
    .use(refuseUnusedQuery)
    .use(unlessReading(limitBody))
    .use(unlessReading(jsonBodies))
    .use(unlessReading(refuseUnusedBody))
    .use(outbox(startReplans))
    .route('/', signUps)
    .use(auth.signedUp)
    .route('/', users)
    .route('/', userExport)
    .route('/', pauses)
    .route('/', investigations)
    .route('/', members)
    .route('/', participants)
    .route('/', invitations)
    .route('/', cases)
    .route('/', surveys)
    .route('/', downloads)
    .route('/', responseList)
    .route('/', responses)
    .route('/', revisions)
    .route('/', itemStates)
    .route('/', lockMatching)
    .route('/', freezes)
    .route('/', compliance)
    .route('/', attention)
    .route('/', activities)
    .route('/', activityVerification)
    .route('/', activityItems)
    .route('/', createHeads(auditKey))
    .route('/', devices)
    .route('/', reminders)
    .route('/', agenda)
    .route('/', notifications)
    .route('/', receipts);
  routes = app.routes;
  router = app.router;
  return app;
}

/** What the console's page may know of the settings. */
const consoleSettings = ({ auth, console }: Pick<Config, 'auth'> & Partial<Pick<Config, 'console'>>) => {
  const { clientId = null, scope = '', origins = [] } = console ?? {};
  const issuer = clientId === null ? undefined : URL.parse(auth.issuer)?.origin;
  return {
    issuer: auth.issuer,
    audience: auth.audience,
    clientId,
    scope,
    origins: issuer === undefined ? [] : [...new Set([issuer, ...origins])],
    local: 'secret' in auth.keys,
  };
};

/** The type of the routes, for clients. */
export type App = ReturnType<typeof createApp>;
