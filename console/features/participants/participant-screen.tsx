import { Fragment } from 'preact';
import { useRoute } from 'preact-iso/router';
import { useAnswer } from '../../answers.ts';
import { api, isProblem } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Chip } from '../../components/chip.tsx';
import { FailedScreen } from '../../components/failed-screen.tsx';
import { Icon } from '../../components/icon.tsx';
import { NothingHere } from '../../components/not-found.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PrintButton, PrintHead } from '../../components/print.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { RecordNav } from '../../components/record-nav.tsx';
import { EmptyState, Loading } from '../../components/states.tsx';
import { SurveyFilter } from '../../components/survey-select.tsx';
import { formatDate, isDate } from '../../format.ts';
import type { Survey } from '../../names.ts';
import { useQuery } from '../../query.ts';
import { useStudyChanges } from '../../study-changes.ts';
import { useStudy } from '../../study-context.ts';
import { DatesCard } from '../dates/dates-card.tsx';
import { RelinkButton } from '../enrolment/relink-button.tsx';
import { History, type Notification, useHistory } from './history.tsx';
import { Contact, type Details, DetailsCard, useDetails } from './participant-details.tsx';
import { ParticipantStatus } from './participant-status.tsx';
import { strings } from './participant-strings.ts';
import { Upcoming } from './upcoming.tsx';

/** One person: past and upcoming reminders. */
export function ParticipantScreen() {
  const { user = '' } = useRoute().params;
  return <Person key={user} user={user} />;
}

function Person({ user }: { user: string }) {
  const { id, screenPath } = useStudy();
  const person = useAnswer(['user', user], (options) =>
    api.user[':id'].$get({ param: { id: user } }, options),
  );
  const list = useAnswer(['surveys', id], (options) =>
    api.investigation[':id'].surveys.$get({ param: { id }, query: { limit: '1000' } }, options),
  );
  const details = useDetails(user);
  const [{ day = '' }] = useQuery();
  const error = person.error ?? list.error;
  if (isProblem(error, 'resource.not-found')) return <NothingHere />;
  if (error) return <FailedScreen error={error} onRetry={person.error ? person.reload : list.reload} />;
  if (!person.data || !list.data) return <Loading />;
  const back = { href: screenPath('/participants'), label: strings.all };
  return (
    <>
      <PageHead title={person.data.name} about={strings.about} back={back}>
        <PrintButton />
        <RecordNav kind="participants" id={user} path="/participants" />
        <RelinkButton user={user} name={person.data.name} />
        <a class="button plain" href={screenPath(`/data?responder=${user}`)}>
          <Icon name="table" />
          {strings.responses}
        </a>
      </PageHead>
      <PrintHead period={day && isDate(day) ? formatDate(day) : undefined} />
      <ParticipantStatus user={user} />
      {details.data && <Contact {...details.data} />}
      {details.data && !isDate(day) && <DetailsCard user={user} details={details.data} />}
      {details.data && !isDate(day) && (
        <DatesCard user={user} name={person.data.name} course={details.data} time={details.data.time} />
      )}
      {details.error !== undefined && !isProblem(details.error, 'resource.not-found') && (
        <ProblemNote error={details.error} onRetry={details.reload} />
      )}
      {list.data.surveys.length === 0 ? (
        <EmptyState icon="survey" title={strings.noSurveys}>
          <a href={screenPath('/surveys')}>{strings.toSurveys}</a>
        </EmptyState>
      ) : (
        <Reminders user={user} surveys={list.data.surveys} details={details.data} />
      )}
    </>
  );
}

/** Upcoming reminders are asked for survey by survey, for at most this many. The filter shows the others. */
const maxUpcoming = 5;
const reminds = ({ reminders, archivedAt }: Survey) => reminders !== null && !archivedAt;

/** The history of all surveys, or of the one in the address. */
function Reminders({
  user,
  surveys,
  details,
}: {
  user: string;
  surveys: readonly Survey[];
  details: Details | undefined;
}) {
  const { study, screenPath } = useStudy();
  const [{ survey = '', day: dayText = '' }, change] = useQuery();
  const day = isDate(dayText) ? dayText : '';
  const shown = survey ? surveys.filter(({ identifier }) => identifier === survey) : surveys;
  const reminding = survey ? [survey] : surveys.filter(reminds).map(({ identifier }) => identifier);
  const history = useHistory(survey, user, day);
  useStudyChanges(history.reload);
  const zone = details?.timeZone ?? history.data?.[0]?.notifications[0]?.timeZone;
  return (
    <>
      <div class="filters">
        <SurveyFilter value={survey} surveys={surveys} onChange={(id) => change({ survey: id })} />
        {day && (
          <Chip
            text={strings.onDay(formatDate(day))}
            label={strings.allDays}
            onRemove={() => change({ day: '' })}
          />
        )}
      </div>
      <p class="muted zone-note">{zone ? strings.zone(zone) : strings.formerZone(study.timeZone)}</p>
      {!day && (
        <section class="card upcoming" aria-labelledby="upcoming">
          <h2 id="upcoming">{strings.upcoming}</h2>
          {reminding.length === 0 && <p class="muted">{strings.noUpcoming}</p>}
          {reminding.slice(0, maxUpcoming).map((id) => (
            <Fragment key={id}>
              {reminding.length > 1 && (
                <h3>
                  <a href={screenPath(`/surveys/${id}`)}>
                    <bdi>{surveys.find(({ identifier }) => identifier === id)?.name}</bdi>
                  </a>
                </h3>
              )}
              <Upcoming
                survey={id}
                user={user}
                zone={zone ?? study.timeZone}
                count={reminding.length > 1 ? 2 : 5}
              />
            </Fragment>
          ))}
          {reminding.length > maxUpcoming && (
            <p class="muted">{strings.moreUpcoming(reminding.length - maxUpcoming)}</p>
          )}
        </section>
      )}
      <section aria-labelledby="history">
        <h2 id="history">{strings.history}</h2>
        <p class="muted">{periodOf(history.data?.flatMap(({ notifications }) => notifications))}</p>
        <History list={history} surveys={shown} day={day} />
      </section>
    </>
  );
}

/** The dates of the reminders that are listed, newest first. */
const periodOf = (listed: readonly Notification[] = []) => {
  const [newest, oldest] = [listed[0], listed.at(-1)];
  return newest && oldest && common.print.period(formatDate(oldest.on), formatDate(newest.on));
};
