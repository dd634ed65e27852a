import { useEffect, useState } from 'preact/hooks';
import { api, isProblem, read } from '../api.ts';
import { Button, Dialog, Link, Status } from '../components.tsx';
import { type Form, readDraft } from '../drafts.ts';
import type { Due } from '../due.ts';
import { counted, fill, useTexts } from '../strings/texts.ts';
import { syncNow } from '../sync.ts';
import { dateText, isFar, momentText, timeText } from '../time.ts';
import { expiryMsOf, isLate, isVisit } from '../visits.ts';

interface Props {
  due: Due;
  now: number;
  /** No reminder comes at the moment: they are paused, or do not reach this phone. */
  isSilent: boolean;
}

/** A survey to be answered now. */
export function DueCard({ due, now, isSilent }: Props) {
  const { texts, language, locale } = useTexts();
  const { survey, notification, dueAt, expiresAt, nextAt } = due;
  const [isAsking, setAsking] = useState(false);
  const [hasDraft, setDraft] = useState(false);
  useEffect(() => void hasBegun({ survey: survey.identifier, notification }).then(setDraft), []);
  const isOfDays = isVisit(survey);
  const until =
    isOfDays && isFar(expiresAt, now)
      ? fill(texts.due.open, { day: dateText(expiresAt, now, locale) })
      : fill(texts.due.until, { time: momentText(expiresAt, now, locale) });
  // Several visits may have one name.
  const name = isOfDays ? `${survey.name}, ${until}` : survey.name;
  return (
    <li class="card due">
      <h3>{survey.name}</h3>
      <p class="muted">
        {counted(texts.survey.questions, survey.items.length, language)} · {until}
      </p>
      {isOfDays && isLate(survey, dueAt, now) && <p class="muted">{texts.due.late}</p>}
      {!isSilent && nextAt !== undefined && nextAt > now && (
        <p class="muted">{fill(texts.due.comesAgain, { time: momentText(nextAt, now, locale) })}</p>
      )}
      <div class="buttons">
        <Link
          to={{ view: 'survey', survey: survey.identifier, notification }}
          class="button main"
          label={`${texts.due.answer}: ${name}`}
        >
          {hasDraft ? texts.due.continue : texts.due.answer}
        </Link>
        {!isSilent && !due.isLast && (
          <Button onClick={() => setAsking(true)} aria-label={`${texts.due.later}: ${name}`}>
            {texts.due.later}
          </Button>
        )}
      </div>
      {isAsking && <Later due={due} now={now} onClose={() => setAsking(false)} />}
    </li>
  );
}

const hasBegun = async (form: Form) =>
  Object.values((await readDraft(form)).items).some((text) => text !== '');

/** Minutes after which a reminder may come again. */
const waits = [10, 30, 60, 120];

function Later({ due, now, onClose }: { due: Due; now: number; onClose: () => void }) {
  const { texts, language, locale } = useTexts();
  const [said, setSaid] = useState('');
  const end = Math.min(due.expiresAt, due.dueAt + expiryMsOf(due.survey));
  const possible = waits.filter((minutes) => now + minutes * 60_000 < end);
  const snooze = async (minutes: number) => {
    try {
      const request = api.notification[':id'].snooze.$post({
        param: { id: due.notification },
        json: { minutes },
      });
      const { nextAt } = await read(request);
      setSaid(fill(texts.due.snoozed, { time: timeText(Date.parse(nextAt), locale) }));
      void syncNow(language);
    } catch (error) {
      setSaid(isProblem(error, 404, 409) ? texts.due.notPossible : texts.due.needsNetwork);
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
