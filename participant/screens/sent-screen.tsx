import { useState } from 'preact/hooks';
import { Button, Dialog, Heading, Icon, Status } from '../components.tsx';
import { type Draft, draftKey } from '../drafts.ts';
import { type Given, givenAt, isUnsent, ownOf } from '../given.ts';
import { type Kept, reload } from '../kept-state.ts';
import { beginChange, removeGiven } from '../outbox.ts';
import { go } from '../places.ts';
import { type Survey, surveyIn } from '../snapshot.ts';
import { keep } from '../store.ts';
import { useTexts } from '../strings/texts.ts';
import { syncNow } from '../sync.ts';
import { isMendable, reasonOf } from '../telling.ts';
import { momentText } from '../time.ts';
import { Answers } from './answers-list.tsx';
import { GivenRow } from './given-row.tsx';

const newestFirst = (a: Given, b: Given) => b.at.localeCompare(a.at);

/** Answers of this phone: nothing is lost without a word. */
export function Sent({ kept }: { kept: Kept }) {
  const { texts, language } = useTexts();
  const { outbox, snapshot, session } = kept;
  const own = ownOf(outbox, session);
  const open = outbox
    .filter((one) => isUnsent(one) || (one.state === 'aside' && own.includes(one)))
    .sort(newestFirst);
  const sent = own.filter(({ state }) => state === 'sent').sort(newestFirst);
  const surveyOf = (given: Given) => surveyIn(snapshot, given.survey);
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
        {open.map((given) => (
          <OpenAnswers
            key={given.identifier}
            given={given}
            isOwn={given.user === session?.user}
            survey={surveyOf(given)}
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
            {sent.map((given) => (
              <GivenRow key={given.identifier} given={given} survey={surveyOf(given)} now={Date.now()} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

interface Props {
  given: Given;
  /** Of the participation that this phone has now. */
  isOwn: boolean;
  survey: Survey | undefined;
}

function OpenAnswers({ given, isOwn, survey }: Props) {
  const { texts, locale } = useTexts();
  const { items, state } = given;
  const [isAsking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const isBad = state === 'refused' || !isOwn;
  const isTheStudys = state === 'aside';
  const change = async () => {
    setBusy(true);
    await startChange(given).finally(() => setBusy(false));
  };
  const remove = () => void removeGiven(given).then(reload);
  return (
    <li class="card">
      <h2>{survey?.name ?? texts.sent.title}</h2>
      <p class="muted">{momentText(givenAt(given), Date.now(), locale)}</p>
      {state === 'refused' && <p class="bad">{texts.sent.refusedText}</p>}
      <p class={isBad ? 'bad' : undefined}>
        <Icon name="cloud" /> {isOwn || isTheStudys ? reasonOf(given, texts) : texts.sent.other}
      </p>
      <Answers items={items} survey={survey} />
      {(isBad || isMendable(given)) && !isTheStudys && (
        <div class="buttons">
          {isOwn && survey && survey.archivedAt === undefined && isMendable(given) && (
            <Button busy={busy} onClick={change}>
              {state === 'changing' ? texts.sent.goOn : texts.sent.again}
            </Button>
          )}
          <Button look="danger" onClick={() => setAsking(true)}>
            {texts.sent.remove}
          </Button>
        </div>
      )}
      {isAsking && (
        <Dialog title={texts.sent.removeTitle} onClose={() => setAsking(false)}>
          <p>{texts.sent.removeText}</p>
          <Button look="danger" class="wide" onClick={remove}>
            {texts.sent.remove}
          </Button>
        </Dialog>
      )}
    </li>
  );
}

/** Opens the form with these answers; when they were given stays. */
async function startChange(given: Given) {
  const { identifier, survey, notification, items, at, ahead, state } = given;
  const form = { survey, ...(notification && { notification }) };
  // A change that somebody has begun goes on.
  if (state !== 'changing') {
    const draft: Draft = { items, chosen: items, at, ahead, replaces: identifier };
    await keep(draftKey(form), draft);
    // The study may have got them a moment ago.
    if (!(await beginChange(given))) {
      await keep(draftKey(form), undefined);
      return reload();
    }
  }
  go({ view: 'survey', ...form });
  reload();
}
