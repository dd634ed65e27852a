import { useEffect } from 'preact/hooks';
import { useServiceNow } from '../clock.ts';
import { Heading, Icon, Link, Status } from '../components.tsx';
import { today } from '../due.ts';
import type { Kept } from '../kept-state.ts';
import { isTimeOver, isTimeOverFor } from '../own-time.ts';
import { pauseOf } from '../pauses.ts';
import { readPermission } from '../permission.ts';
import { closeShown } from '../shown.ts';
import { counted, fill, useTexts } from '../strings/texts.ts';
import { isUnsent, ownSubmissions } from '../submissions.ts';
import type { Reached } from '../sync.ts';
import { momentText } from '../time.ts';
import type { Waiting } from '../verdict.ts';
import { Done, Others, Upcoming } from './day-lists.tsx';
import { DueCard } from './due-card.tsx';
import { OwnTimes } from './own-time.tsx';
import { ZoneQuestion } from './zone-choice.tsx';

/** The day: surveys that are due, that were answered, and that come. */
export function TodayScreen({ kept: all, reached }: { kept: Kept; reached: Reached }) {
  const { texts } = useTexts();
  const kept = { ...all, outbox: ownSubmissions(all.outbox, all.session) };
  const { snapshot, outbox, arrived, clock } = kept;
  const now = useServiceNow(clock);
  useEffect(() => void closeShown(answeredIn(kept)), [all.outbox, snapshot]);
  if (!snapshot)
    return (
      <>
        <Heading>{texts.today.title}</Heading>
        <p class="note bad">{reached === 'no' ? texts.today.offline : texts.today.failed}</p>
      </>
    );
  if (snapshot.studies.length === 0) return <NoStudy />;
  const pause = pauseOf(snapshot.me, now);
  const isSilent = pause !== undefined || kept.reminders === 'blocked' || kept.reminders === 'failing';
  const foreign = all.outbox.filter(
    (answers) => isUnsent(answers) && answers.user !== all.session?.user,
  ).length;
  const { studies } = snapshot;
  const { due, coming, others } = today(snapshot, { outbox, arrived, now, clock });
  const hasTime = !isTimeOver(studies, now);
  return (
    <>
      <Heading>{texts.today.title}</Heading>
      <OwnTimes studies={studies} now={now} isOpen={due.length > 0} />
      <Notes kept={kept} reached={reached} now={now} hasTime={hasTime} />
      {/* The present participant gave none of them. */}
      <SeeThem forms={texts.today.foreign} n={foreign} />
      {due.length === 0 || isOver(snapshot) ? (
        <Nothing
          reminders={hasTime ? kept.reminders : 'on'}
          comes={hasTime && coming.length > 0 && pause === undefined}
        />
      ) : (
        <section aria-labelledby="due">
          <h2 id="due">{texts.today.due}</h2>
          <ul class="cards">
            {due.map((reminder) => (
              <DueCard
                key={reminder.notification}
                due={reminder}
                now={now}
                isSilent={isSilent || isTimeOverFor(studies, reminder.survey, now)}
              />
            ))}
          </ul>
        </section>
      )}
      <Done kept={kept} now={now} />
      {!isOver(snapshot) && <Others surveys={others} />}
      <Upcoming coming={coming} now={now} hasTime={hasTime} />
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

const isOfNetwork = (why: Waiting) => /^(?:new|network|unknown|stranger|service)$/.test(why);

/** Reminders that are answered, here or on another phone. */
const answeredIn = ({ outbox, snapshot }: Kept): string[] => [
  ...outbox.flatMap(({ state, notification }) =>
    notification && state !== 'refused' && state !== 'changing' ? [notification] : [],
  ),
  ...(snapshot?.notifications ?? [])
    .filter(({ answeredAt }) => answeredAt)
    .map(({ identifier }) => identifier),
];

/** The study is archived: no answer counts any more, unless its team decides so. */
const isOver = (snapshot: Kept['snapshot']) =>
  snapshot?.studies.every(({ status }) => status === 'archived') ?? false;

interface NotesProps {
  kept: Kept;
  reached: Reached;
  now: number;
  /** Reminders may come. */
  hasTime: boolean;
}

/** News that are out of the ordinary. */
function Notes({ kept, reached, now, hasTime }: NotesProps) {
  const { texts, language, locale } = useTexts();
  const { outbox, snapshot } = kept;
  const waiting = outbox.filter((answers) => answers.state === 'waiting' && isOfNetwork(answers.why)).length;
  const pending = outbox.filter(({ state }) => state === 'waiting' || state === 'changing').length;
  const aside = outbox.filter(({ state }) => state === 'aside').length;
  const refused = outbox.filter(({ state }) => state === 'refused').length;
  const pausedUntil = snapshot && pauseOf(snapshot.me, now);
  const isFrozen = snapshot?.studies.some((study) => 'frozenAt' in study && study.frozenAt);
  return (
    <>
      <Status variant={reached === 'failed' ? 'bad' : 'good'}>
        {reached !== 'yes' &&
          [
            reached === 'no' ? texts.today.offline : texts.today.failed,
            waiting > 0 &&
              counted(reached === 'no' ? texts.today.waiting : texts.today.notSent, waiting, language),
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
      {reached === 'yes' && <SeeThem forms={texts.today.notSent} n={pending} />}
      <SeeThem forms={texts.today.aside} n={aside} />
      {isOver(kept.snapshot) && <p class="note">{texts.today.over}</p>}
      {isFrozen && <p class="note">{texts.today.frozen}</p>}
      {hasTime && pausedUntil !== undefined && (
        <p class="note">
          {pausedUntil === null
            ? texts.today.pausedOpen
            : fill(texts.today.paused, { time: momentText(Date.parse(pausedUntil), now, locale) })}{' '}
          <Link to={{ view: 'settings' }}>{texts.today.resume}</Link>
        </p>
      )}
      {hasTime && <ReminderNote reminders={kept.reminders} />}
      {hasTime && <ZoneQuestion kept={kept} />}
    </>
  );
}

/** Answers of this phone that can be seen on a screen of their own. */
function SeeThem({ forms, n }: { forms: { one: string; other: string }; n: number }) {
  const { texts, language } = useTexts();
  return n === 0 ? null : (
    <p class="note">
      {counted(forms, n, language)} <Link to={{ view: 'sent' }}>{texts.today.seeThem}</Link>
    </p>
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

/** A reminder is promised only where one is planned. */
function Nothing({ reminders, comes }: Pick<Kept, 'reminders'> & { comes: boolean }) {
  const { texts } = useTexts();
  const { today } = texts;
  const messages: Record<Kept['reminders'], string> = {
    on: comes ? today.nothingText : '',
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
      {messages[reminders] && <p>{messages[reminders]}</p>}
    </div>
  );
}
