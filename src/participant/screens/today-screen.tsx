import { useEffect, useState } from 'preact/hooks';
import { api, isProblem, read } from '../api.ts';
import { Button, Dialog, Heading, Icon, Link, Status } from '../components.tsx';
import { type Coming, type Due, today } from '../due.ts';
import type { Kept } from '../kept-state.ts';
import { readPermission } from '../permission.ts';
import type { Survey } from '../snapshot.ts';
import { readKept } from '../store.ts';
import { counted, fill, useTexts } from '../strings/texts.ts';
import { type Reached, syncNow } from '../sync.ts';
import { dayText, momentText, timeText } from '../time.ts';
import { reasonOf } from './sent-screen.tsx';
import { ZoneQuestion } from './zone-choice.tsx';

/** The present time, to within half a minute. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** The day: surveys that are due, that were answered, and that come. */
export function TodayScreen({ kept, reached }: { kept: Kept; reached: Reached }) {
  const { texts } = useTexts();
  const now = useNow();
  const { snapshot, outbox, arrived } = kept;
  if (!snapshot)
    return (
      <>
        <Heading>{texts.today.title}</Heading>
        {reached === 'yes' ? (
          <p class="loading">{texts.today.loading}</p>
        ) : (
          <p class="note bad">{reached === 'no' ? texts.today.offline : texts.today.failed}</p>
        )}
      </>
    );
  if (snapshot.studies.length === 0) return <NoStudy />;
  const { due, coming, others } = today(snapshot, { outbox, arrived, now });
  return (
    <>
      <Heading>{texts.today.title}</Heading>
      <Notes kept={kept} reached={reached} now={now} />
      {due.length === 0 ? (
        <Nothing reminders={kept.reminders} />
      ) : (
        <section aria-labelledby="due">
          <h2 id="due">{texts.today.due}</h2>
          <ul class="cards">
            {due.map((one) => (
              <DueCard key={one.notification} due={one} now={now} />
            ))}
          </ul>
        </section>
      )}
      <Done kept={kept} now={now} />
      <Others surveys={others} />
      <Upcoming coming={coming} now={now} />
    </>
  );
}

function NoStudy() {
  const { today, ended } = useTexts().texts;
  return (
    <>
      <Heading>{today.none}</Heading>
      <p class="lead">{today.noneText}</p>
      <Link to={{ view: 'join' }} class="button main wide">
        {ended.submit}
      </Link>
    </>
  );
}

/** News that are out of the ordinary. */
function Notes({ kept, reached, now }: { kept: Kept; reached: Reached; now: number }) {
  const { texts, language, locale } = useTexts();
  const { outbox, session, snapshot } = kept;
  const waiting = outbox.filter(({ state, problem }) => state === 'waiting' && !problem).length;
  const refused = outbox.filter(
    ({ state, user }) => state === 'refused' || (state === 'waiting' && user !== session?.user),
  ).length;
  const pausedUntil = snapshot?.me.pausedUntil;
  const isFrozen = snapshot?.studies.some((study) => 'frozenAt' in study && study.frozenAt);
  return (
    <>
      <Status look={reached === 'failed' ? 'bad' : 'good'}>
        {reached !== 'yes' &&
          [
            reached === 'no' ? texts.today.offline : texts.today.failed,
            waiting > 0 && counted(texts.today.waiting, waiting, language),
          ]
            .filter(Boolean)
            .join(' ')}
      </Status>
      {refused > 0 && (
        <p class="note bad">
          {counted(texts.today.refused, refused, language)}{' '}
          <Link to={{ view: 'sent' }}>{texts.today.refusedLink}</Link>
        </p>
      )}
      {isFrozen && <p class="note">{texts.today.frozen}</p>}
      {pausedUntil !== undefined && (
        <p class="note">
          {pausedUntil === null
            ? texts.today.pausedOpen
            : fill(texts.today.paused, { time: momentText(Date.parse(pausedUntil), now, locale) })}{' '}
          <Link to={{ view: 'settings' }}>{texts.today.resume}</Link>
        </p>
      )}
      <ReminderNote reminders={kept.reminders} />
      <ZoneQuestion kept={kept} />
    </>
  );
}

/** Reminders that do not come, and why. */
function ReminderNote({ reminders: state }: Pick<Kept, 'reminders'>) {
  const { reminders } = useTexts().texts;
  const permission = readPermission();
  const notes: Partial<Record<Kept['reminders'], string>> = {
    off: permission === 'install' ? reminders.wasOff : reminders.allow,
    blocked: permission === 'denied' ? reminders.denied : reminders.lost,
    failing: reminders.failing,
    unsupported: reminders.wasOff,
  };
  if (!notes[state]) return null;
  return (
    <Link to={{ view: 'reminders' }} class="note action">
      <Icon name="bell" />
      <span>{notes[state]}</span>
    </Link>
  );
}

function Nothing({ reminders }: Pick<Kept, 'reminders'>) {
  const { texts } = useTexts();
  const { today } = texts;
  const look: Record<Kept['reminders'], string> = {
    on: today.nothingText,
    off: today.nothingWithoutReminders,
    blocked: today.nothingWithoutReminders,
    unsupported: today.nothingWithoutReminders,
    failing: texts.reminders.unsure,
    unknown: texts.reminders.unsure,
  };
  return (
    <div class="nothing">
      <span class="round">
        <Icon name="check" />
      </span>
      <h2>{today.nothing}</h2>
      <p>{look[reminders]}</p>
    </div>
  );
}

function DueCard({ due, now }: { due: Due; now: number }) {
  const { texts, language, locale } = useTexts();
  const { survey, notification, expiresAt, nextAt } = due;
  const [isAsking, setAsking] = useState(false);
  const [hasDraft, setDraft] = useState(false);
  useEffect(
    () => void readKept(`draft:${survey.identifier}`).then((draft) => setDraft(draft !== undefined)),
    [],
  );
  return (
    <li class="card due">
      <h3>{survey.name}</h3>
      <p class="muted">
        {counted(texts.survey.questions, survey.items.length, language)} ·{' '}
        {fill(texts.due.until, { time: momentText(expiresAt, now, locale) })}
      </p>
      {nextAt !== undefined && nextAt > now && (
        <p class="muted">{fill(texts.due.comesAgain, { time: timeText(nextAt, locale) })}</p>
      )}
      <div class="buttons">
        <Link
          to={{ view: 'survey', survey: survey.identifier, notification }}
          class="button main"
          label={`${texts.due.answer}: ${survey.name}`}
        >
          {hasDraft ? texts.due.continue : texts.due.answer}
        </Link>
        <Button onClick={() => setAsking(true)} aria-label={`${texts.due.later}: ${survey.name}`}>
          {texts.due.later}
        </Button>
      </div>
      {isAsking && <Later due={due} now={now} onClose={() => setAsking(false)} />}
    </li>
  );
}

/** Minutes after which a reminder may come again. */
const waits = [10, 30, 60, 120];

function Later({ due, now, onClose }: { due: Due; now: number; onClose: () => void }) {
  const { texts, language, locale } = useTexts();
  const [said, setSaid] = useState('');
  const possible = waits.filter((minutes) => now + minutes * 60_000 < due.expiresAt);
  const snooze = async (minutes: number) => {
    try {
      const asked = api.notification[':id'].snooze.$post({
        param: { id: due.notification },
        json: { minutes },
      });
      const { nextAt } = await read(asked);
      setSaid(fill(texts.due.snoozed, { time: timeText(Date.parse(nextAt), locale) }));
      void syncNow(language);
    } catch (error) {
      setSaid(isProblem(error, 404, 409) ? texts.due.tooLate : texts.due.needsNetwork);
    }
  };
  return (
    <Dialog title={texts.due.laterTitle} onClose={onClose} {...(said && { close: texts.close })}>
      {!said && possible.length > 0 && (
        <div class="stack">
          {possible.map((minutes) => (
            <Button key={minutes} class="wide" onClick={() => snooze(minutes)}>
              {minutes < 60
                ? fill(texts.due.minutes, { n: minutes })
                : counted(texts.due.hours, minutes / 60, language)}
            </Button>
          ))}
        </div>
      )}
      {possible.length === 0 && <p>{texts.due.tooLate}</p>}
      <Status>{said}</Status>
    </Dialog>
  );
}

/** Surveys that were answered today, so that people see that their answers arrived. */
function Done({ kept: { outbox, snapshot }, now }: { kept: Kept; now: number }) {
  const { texts, locale } = useTexts();
  const done = outbox.filter(
    ({ at, state }) => state !== 'refused' && new Date(at).toDateString() === new Date(now).toDateString(),
  );
  if (done.length === 0) return null;
  return (
    <section aria-labelledby="done">
      <h2 id="done">{texts.today.done}</h2>
      <ul class="rows">
        {done.map((given) => (
          <li key={given.identifier}>
            <span class={given.state === 'sent' ? 'good' : 'muted'}>
              <Icon name={given.state === 'sent' ? 'check' : 'cloud'} />
            </span>
            <span>
              {snapshot?.surveys.find(({ identifier }) => identifier === given.survey)?.name}
              <span class="muted">
                {fill(texts.today.doneAt, { time: timeText(Date.parse(given.at), locale) })}
                {given.state === 'waiting' && ` · ${reasonOf(given, texts)}`}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Others({ surveys }: { surveys: readonly Survey[] }) {
  const { today } = useTexts().texts;
  if (surveys.length === 0) return null;
  return (
    <section aria-labelledby="others">
      <h2 id="others">{today.others}</h2>
      <ul class="rows">
        {surveys.map(({ identifier, name }) => (
          <li key={identifier}>
            <Link to={{ view: 'survey', survey: identifier }} class="row-link">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const fewest = 5;

function Upcoming({ coming, now }: { coming: readonly Coming[]; now: number }) {
  const { texts, locale } = useTexts();
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? coming : coming.slice(0, fewest);
  const days = new Map<string, Coming[]>();
  for (const one of shown) {
    const day = dayText(one.at, now, locale);
    days.set(day, [...(days.get(day) ?? []), one]);
  }
  return (
    <section aria-labelledby="coming">
      <h2 id="coming">{texts.today.coming}</h2>
      {coming.length === 0 && <p class="muted">{texts.today.noneComing}</p>}
      {[...days].map(([day, ones]) => (
        <div key={day} class="day">
          <h3>{day}</h3>
          <ul class="rows">
            {ones.map(({ survey, at, isSurprise }) => (
              <li key={`${survey.identifier} ${at}`}>
                <span>
                  {survey.name}
                  <span class="muted">{isSurprise ? texts.today.surprise : timeText(at, locale)}</span>
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {coming.length > shown.length && (
        <Button look="plain" class="wide" onClick={() => setShowsAll(true)}>
          {texts.today.more}
        </Button>
      )}
    </section>
  );
}
