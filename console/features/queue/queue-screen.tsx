import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { FailedScreen } from '../../components/failed-screen.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Coded } from '../../components/person.tsx';
import { PropertyFilter, usePart } from '../../components/property-filter.tsx';
import { Badge, EmptyState, Loading } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';
import { groupText } from '../../groups.ts';
import { useKeys } from '../../keys.ts';
import { useSurveys } from '../../names.ts';
import { useQuery } from '../../query.ts';
import { useStudyChanges } from '../../study-changes.ts';
import { useStudy } from '../../study-context.ts';
import { RelinkButton } from '../enrolment/relink-button.tsx';
import { SetAsideNote } from '../items/set-aside-note.tsx';
import { History, useHistory } from '../participants/history.tsx';
import { strings } from './queue-strings.ts';
import { useWaiting, type Waiting } from './waiting.ts';

/** The people who need attention, one after another, each with the cause, the time line and the next step. */
export function Queue() {
  const { study, properties, screenPath } = useStudy();
  const toast = useToast();
  const { search } = usePart();
  const { data, error, reload, waiting, aside, finish, bringBack } = useWaiting();
  useStudyChanges(reload);
  const [{ at = '' }, change] = useQuery();
  const index = waiting.findIndex(({ id }) => id === at);
  const place = Math.max(0, index);
  const current = waiting[place];
  const heading = useRef<HTMLHeadingElement>(null);
  const hasMoved = useRef(false);

  const goTo = (n: number) => {
    const next = waiting[n];
    if (!next) return;
    hasMoved.current = true;
    change({ at: next.id });
  };
  const finishThis = () => {
    if (!current) return;
    hasMoved.current = true;
    finish(current);
    change({ at: (waiting[place + 1] ?? waiting[place - 1])?.id });
    toast({ text: strings.isDone(current.name), undo: async () => bringBack(current) });
  };
  useKeys([
    { key: 'j', label: strings.nextKey, act: () => goTo(place + 1) },
    { key: 'k', label: strings.previousKey, act: () => goTo(place - 1) },
    { key: 'd', label: strings.doneKey, act: finishThis },
  ]);
  useEffect(() => {
    if (hasMoved.current) heading.current?.focus({ preventScroll: true });
  }, [current?.id]);

  if (!data) return error ? <FailedScreen error={error} onRetry={reload} /> : <Loading />;
  return (
    <>
      <PageHead
        title={strings.title}
        about={`${strings.about} ${strings.open(waiting.length, data.more)}`}
        back={{ href: screenPath('/overview'), label: strings.back }}
      />
      <SetAsideNote />
      {properties.length > 0 && (
        <div class="filters">
          <PropertyFilter />
        </div>
      )}
      {current ? (
        <div class="queue">
          <nav aria-label={strings.list}>
            <ol class="queue-list">
              {waiting.map((person, n) => (
                <li key={person.id}>
                  <a
                    href={screenPath(`/queue?at=${encodeURIComponent(person.id)}${search}`)}
                    aria-current={n === place ? 'step' : undefined}
                    ref={(link) => {
                      if (n === place && hasMoved.current) link?.scrollIntoView({ block: 'nearest' });
                    }}
                  >
                    <Coded name={person.name} code={person.code} />
                    {person.properties && (
                      <span class="muted">{groupText(person.properties, properties)}</span>
                    )}
                    <span class="muted">
                      {person.causes.map((cause) => strings.reasons[cause]).join(', ')}
                    </span>
                  </a>
                </li>
              ))}
            </ol>
          </nav>
          <section class="card queue-person" aria-labelledby="queue-person">
            <div class="card-head">
              <h2 id="queue-person" ref={heading} tabIndex={-1}>
                <Coded name={current.name} code={current.code} />
              </h2>
              {current.properties && <span class="muted">{groupText(current.properties, properties)}</span>}
              <div class="row-actions">
                <span class="muted">{strings.place(place + 1, waiting.length)}</span>
                <Button icon="up" disabled={place === 0} onClick={() => goTo(place - 1)}>
                  {strings.previous}
                </Button>
                <Button icon="down" disabled={place === waiting.length - 1} onClick={() => goTo(place + 1)}>
                  {strings.next}
                </Button>
                <Button kind="primary" icon="check" onClick={finishThis}>
                  {strings.done}
                </Button>
              </div>
            </div>
            <Person key={current.id} person={current} study={study.name} />
          </section>
        </div>
      ) : (
        <EmptyState icon="check" title={strings.nobody} about={strings.nobodyAbout}>
          <a class="button plain" href={screenPath('/overview')}>
            {strings.toOverview}
          </a>
        </EmptyState>
      )}
      {aside > 0 && (
        <p class="muted queue-aside">
          {strings.aside(aside)} <Button onClick={() => bringBack()}>{strings.showAside}</Button>
        </p>
      )}
    </>
  );
}

const lastReminders = 8;

/** The page of the console on which people who sign in with the address accept. */
const linkTo = (study: string) => `${location.origin}/console?invitation=${study}`;

function Person({ person, study: name }: { person: Waiting; study: string }) {
  const { study, screenPath } = useStudy();
  const [first] = person.causes;
  if (!first) return null;
  const isInvitation = first === 'invitation';
  const message = strings.messages[first](name) + (isInvitation ? `\n\n${linkTo(study.identifier)}` : '');
  return (
    <>
      <h3>{strings.cause}</h3>
      <ul class="plain-list">
        {person.causes.map((cause) => (
          <li key={cause}>
            <Badge tone={cause === 'unreachable' || cause === 'failed' ? 'bad' : 'warn'}>
              {strings.reasons[cause]}
            </Badge>{' '}
            {strings.causes[cause]}
            {cause === 'paused' && person.pausedUntil && (
              <>
                {' '}
                {strings.pausedUntil} <Time at={person.pausedUntil} distance />.
              </>
            )}
          </li>
        ))}
      </ul>
      <h3>{strings.action}</h3>
      <ol class="queue-steps">
        {strings.steps[first].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <figure class="queue-message">
        <figcaption class="muted">{strings.message}</figcaption>
        <blockquote>{message}</blockquote>
      </figure>
      <p class="row-actions">
        <CopyButton text={message} label={strings.copyMessage} />
        {person.address !== undefined && (
          <a
            class="button plain"
            href={`mailto:${encodeURIComponent(person.address)}?subject=${encodeURIComponent(strings.subject(name))}&body=${encodeURIComponent(message)}`}
          >
            <Icon name="mail" />
            {strings.write}
          </a>
        )}
        {isInvitation ? (
          <a class="button plain" href={screenPath('/members#invitations')}>
            {strings.openInvitations}
          </a>
        ) : (
          <>
            <RelinkButton user={person.id} name={person.name} />
            <a class="button plain" href={screenPath(`/participants/${person.id}`)}>
              {strings.openPerson}
            </a>
          </>
        )}
      </p>
      {!isInvitation && <TimeLine user={person.id} hasFailed={person.causes.includes('failed')} />}
    </>
  );
}

/** The last reminders, and those further back that failed. */
function TimeLine({ user, hasFailed }: { user: string; hasFailed: boolean }) {
  const { study, screenPath } = useStudy();
  const surveys = useSurveys(study.identifier);
  const history = useHistory('', user, '', hasFailed ? 100 : lastReminders);
  const [page] = history.data ?? [];
  const shown = page?.notifications.filter(({ state }, n) => n < lastReminders || state === 'failed');
  return (
    <>
      <h3>{hasFailed ? strings.withFailed : strings.timeLine}</h3>
      <History
        list={{ ...history, data: shown && [{ notifications: shown }], hasMore: false }}
        surveys={surveys}
      />
      <p>
        <a href={screenPath(`/participants/${user}`)}>{strings.whole}</a>
      </p>
    </>
  );
}
