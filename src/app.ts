import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { RouterRoute } from 'hono/types';
import { changes } from './changes/routes/changes.ts';
import { attention } from './compliance/routes/attention.ts';
import { compliance } from './compliance/routes/compliance.ts';
import { occurrences } from './compliance/routes/occurrences.ts';
import type { Config } from './config.ts';
import { createEnrol } from './enrolment/routes/enrol.ts';
import { createEnrolments } from './enrolment/routes/enrolments.ts';
import { createPrograms } from './enrolment/routes/programs.ts';
import { createTokens } from './enrolment/routes/tokens.ts';
import { createAuditKey } from './http/audit-key.ts';
import { createAuth } from './http/auth/authenticate.ts';
import { createParticipantTokens } from './http/auth/participant-tokens.ts';
import { conditionalGet } from './http/conditional-get.ts';
import type { Env } from './http/context.ts';
import { crossOrigin } from './http/cross-origin.ts';
import { bodyKiB, jsonBodies, limitBody, unlessReading } from './http/json-body.ts';
import { boundedPath, limitHead } from './http/limit-head.ts';
import { noteAccess } from './http/note-access.ts';
import { woken } from './http/plan-woken.ts';
import { onError, onNotFound } from './http/problems.ts';
import { limitRefused, limitUsers } from './http/rate-limits.ts';
import { requestContext } from './http/request-context.ts';
import { allowedMethods, type Routes, refuseUnusedBody, refuseUnusedQuery } from './http/routing.ts';
import { safeHeaders } from './http/safe-headers.ts';
import { wakeWebhooks } from './http/wake-webhooks.ts';
import { limitWork } from './http/work.ts';
import { answerCounts } from './items/routes/answer-counts.ts';
import { cases } from './items/routes/cases.ts';
import { codebook } from './items/routes/codebook.ts';
import { responseList } from './items/routes/response-list.ts';
import { responses } from './items/routes/responses.ts';
import { revisions } from './items/routes/revisions.ts';
import { setAsides } from './items/routes/set-asides.ts';
import { freezes } from './locks/routes/freezes.ts';
import { itemStates } from './locks/routes/item-states.ts';
import { lockMatching } from './locks/routes/lock-matching.ts';
import { recordAccess } from './log/accesses.ts';
import { accesses } from './log/routes/accesses.ts';
import { activities } from './log/routes/activities.ts';
import { activityItems } from './log/routes/entry-items.ts';
import { createHeads, createKeySetRoute } from './log/routes/heads.ts';
import { reviews } from './log/routes/reviews.ts';
import { activityVerification } from './log/routes/verification.ts';
import { createConsole } from './operations/routes/console.ts';
import { createDocument } from './operations/routes/document.ts';
import { createOperations } from './operations/routes/operations.ts';
import { participantPage } from './operations/routes/participant-page.ts';
import { problems } from './operations/routes/problems.ts';
import { avatars } from './people/routes/avatar.ts';
import { userExport } from './people/routes/exports.ts';
import { pauses } from './people/routes/pauses.ts';
import { signUps, users } from './people/routes/users.ts';
import { devices } from './phones/routes/devices.ts';
import { pushKeyRoute } from './phones/routes/push-key.ts';
import { relayEvents } from './phones/routes/relay-events.ts';
import { planWoken } from './reminders/jobs.ts';
import { agenda } from './reminders/routes/agenda.ts';
import { notifications } from './reminders/routes/notifications.ts';
import { receipts } from './reminders/routes/receipts.ts';
import { reminders } from './reminders/routes/reminders.ts';
import { timeZones } from './reminders/routes/time-zones.ts';
import type { Services } from './services.ts';
import { downloads } from './studies/routes/downloads.ts';
import { investigations } from './studies/routes/investigations.ts';
import { invitations } from './studies/routes/invitations.ts';
import { memberDates } from './studies/routes/member-dates.ts';
import { participants } from './studies/routes/member-details.ts';
import { members } from './studies/routes/members.ts';
import { surveyHistory } from './studies/routes/survey-history.ts';
import { surveys } from './studies/routes/surveys.ts';
import { webhooks } from './webhooks/routes/webhooks.ts';

/** The HTTP application, for every runtime: middleware in order, routes, error handling. */
export function createApp(services: Services, config: Pick<Config, 'auth' | 'limits'> & Partial<Config>) {
  const participantTokens = createParticipantTokens(config.participantSigningKeys);
  const auth = createAuth(config.auth, participantTokens);
  const auditKey = createAuditKey(config.auditSigningKey);
  let routes: RouterRoute[] = [];
  let router: Routes | undefined;
  const app = new Hono<Env>({ getPath: boundedPath })
    .onError(onError)
    .notFound(onNotFound)
    .use(requestContext(services, config.limits, () => router))
    .use(limitHead)
    // Before the general policy, so that it has the last word: other sites show these pictures.
    .use('/user/:id/avatar', secureHeaders({ crossOriginResourcePolicy: 'cross-origin' }))
    .use(safeHeaders)
    .use(crossOrigin(config.corsOrigins ?? []))
    .route('/', createOperations(config.metricsToken))
    .route('/', createKeySetRoute([auditKey, participantTokens]))
    .route('/', problems)
    .route(
      '/',
      createDocument(() => routes),
    )
    .route('/', createConsole(consoleSettings(config)))
    .route('/', participantPage)
    .use(limitRefused())
    .use(allowedMethods(() => router))
    .route('/', pushKeyRoute)
    .use('/relay/*', limitBody(bodyKiB['/relay/*']), woken(planWoken))
    .route('/', relayEvents)
    .use(conditionalGet)
    .use(
      '/enrol/*',
      unlessReading(limitBody(bodyKiB['/enrol/*'])),
      refuseUnusedQuery,
      jsonBodies,
      wakeWebhooks,
      woken(planWoken),
    )
    .route('/', createEnrol(participantTokens, auth.forgetUser))
    .use('/user/me/avatar', auth.identify, limitUsers, auth.signedUp)
    .route('/', avatars)
    .use(auth.identify)
    .use(limitUsers)
    .use(refuseUnusedQuery)
    .use(unlessReading(limitBody(bodyKiB.all)))
    // Once the body is there: a phone on a bad network takes none of its person's places while it sends.
    .use(limitWork())
    .use(unlessReading(jsonBodies))
    .use(unlessReading(refuseUnusedBody))
    .use(wakeWebhooks)
    .use(woken(planWoken))
    .route('/', signUps)
    .use(auth.signedUp)
    .use(noteAccess(recordAccess))
    .route('/', users)
    .route('/', createTokens(participantTokens, config.publicOrigin))
    .route('/', userExport)
    .route('/', pauses)
    .route('/', investigations)
    .route('/', members)
    .route('/', memberDates)
    .route('/', participants)
    .route('/', invitations)
    .route('/', createEnrolments(participantTokens, config.publicOrigin))
    .route('/', createPrograms(participantTokens, auth.forgetUser))
    .route('/', cases)
    .route('/', surveys)
    .route('/', surveyHistory)
    .route('/', codebook)
    .route('/', answerCounts)
    .route('/', downloads)
    .route('/', responseList)
    .route('/', responses)
    .route('/', revisions)
    .route('/', setAsides)
    .route('/', itemStates)
    .route('/', lockMatching)
    .route('/', freezes)
    .route('/', compliance)
    .route('/', occurrences)
    .route('/', attention)
    .route('/', changes)
    .route('/', webhooks)
    .route('/', activities)
    .route('/', reviews)
    .route('/', accesses)
    .route('/', activityVerification)
    .route('/', activityItems)
    .route('/', createHeads(auditKey))
    .route('/', devices)
    .route('/', reminders)
    .route('/', timeZones)
    .route('/', agenda)
    .route('/', notifications)
    .route('/', receipts);
  routes = app.routes;
  router = app.router;
  return app;
}

/** The settings that the console's page may know. */
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
