import { useState } from 'preact/hooks';
import { Button, Dialog, Heading, Icon, Status } from '../components.tsx';
import { type Draft, draftKey } from '../drafts.ts';
import { type Kept, reload } from '../kept-state.ts';
import { beginChange, removeSubmission } from '../outbox.ts';
import { go } from '../places.ts';
import { type Survey, surveyIn } from '../snapshot.ts';
import { keep } from '../store.ts';
import { useTexts } from '../strings/texts.ts';
import { isUnsent, ownSubmissions, type Submission, submittedAt } from '../submissions.ts';
import { syncNow } from '../sync.ts';
import { momentText } from '../time.ts';
import { isMendable, reasonOf } from '../wording.ts';
import { Answers } from './answers-list.tsx';
import { SubmissionRow } from './submission-row.tsx';

const newestFirst = (a: Submission, b: Submission) => b.at.localeCompare(a.at);

/** Answers of this phone: nothing is lost without a word. */
export function Sent({ kept }: { kept: Kept }) {
  const { texts, language } = useTexts();
  const { outbox, snapshot, session } = kept;
  const own = ownSubmissions(outbox, session);
  const open = outbox
    .filter(
      (submission) => isUnsent(submission) || (submission.state === 'aside' && own.includes(submission)),
    )
    .sort(newestFirst);
  const sent = own.filter(({ state }) => state === 'sent').sort(newestFirst);
  const surveyOf = (submission: Submission) => surveyIn(snapshot, submission.survey);
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    await syncNow(language).finally(() => setBusy(false));
  };
  return (
    <>
      <Heading>{texts.sent.title}</Heading>
      <Status>{open.length === 0 && texts.sent.none}</Status>
      <ul class="cards">
        {open.map((submission) => (
          <OpenSubmission
            key={submission.identifier}
            submission={submission}
            isOwn={submission.user === session?.user}
            survey={surveyOf(submission)}
          />
        ))}
      </ul>
      {own.some(({ state }) => state === 'waiting') && (
        <Button class="wide" busy={busy} onClick={send}>
          {texts.sent.sendNow}
        </Button>
      )}
      {sent.length > 0 && (
        <section aria-labelledby="sent">
          <h2 id="sent">{texts.sent.sentTitle}</h2>
          <ul class="rows">
            {sent.map((submission) => (
              <SubmissionRow
                key={submission.identifier}
                submission={submission}
                survey={surveyOf(submission)}
                now={Date.now()}
              />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

interface Props {
  submission: Submission;
  /** Of the participation that this phone has now. */
  isOwn: boolean;
  survey: Survey | undefined;
}

function OpenSubmission({ submission, isOwn, survey }: Props) {
  const { texts, locale } = useTexts();
  const { items, state } = submission;
  const [isAsking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const isBad = state === 'refused' || !isOwn;
  const isTheStudys = state === 'aside';
  const change = async () => {
    setBusy(true);
    await startChange(submission).finally(() => setBusy(false));
  };
  const remove = () => void removeSubmission(submission).then(reload);
  return (
    <li class="card">
      <h2>{survey?.name ?? texts.sent.title}</h2>
      <p class="muted">{momentText(submittedAt(submission), Date.now(), locale)}</p>
      {state === 'refused' && <p class="bad">{texts.sent.refusedText}</p>}
      <p class={isBad ? 'bad' : undefined}>
        <Icon name="cloud" /> {isOwn || isTheStudys ? reasonOf(submission, texts) : texts.sent.other}
      </p>
      <Answers items={items} survey={survey} />
      {(isBad || isMendable(submission)) && !isTheStudys && (
        <div class="buttons">
          {isOwn && survey && survey.archivedAt === undefined && isMendable(submission) && (
            <Button busy={busy} onClick={change}>
              {state === 'changing' ? texts.sent.goOn : texts.sent.again}
            </Button>
          )}
          <Button variant="danger" onClick={() => setAsking(true)}>
            {texts.sent.remove}
          </Button>
        </div>
      )}
      {isAsking && (
        <Dialog title={texts.sent.removeTitle} onClose={() => setAsking(false)}>
          <p>{texts.sent.removeText}</p>
          <Button variant="danger" class="wide" onClick={remove}>
            {texts.sent.remove}
          </Button>
        </Dialog>
      )}
    </li>
  );
}

/** Opens the form with these answers; when they were given stays. */
async function startChange(submission: Submission) {
  const { identifier, survey, notification, items, at, ahead, state } = submission;
  const form = { survey, ...(notification && { notification }) };
  // A change that somebody has begun goes on.
  if (state !== 'changing') {
    const draft: Draft = { items, chosen: items, at, ahead, replaces: identifier };
    await keep(draftKey(form), draft);
    // The study may have got them a moment ago.
    if (!(await beginChange(submission))) {
      await keep(draftKey(form), undefined);
      return reload();
    }
  }
  go({ view: 'survey', ...form });
  reload();
}
