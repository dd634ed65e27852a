import { useState } from 'preact/hooks';
import { Button, Dialog, Heading, Icon, Status } from '../components.tsx';
import { type Kept, reload } from '../kept-state.ts';
import type { Given } from '../outbox.ts';
import { go } from '../places.ts';
import type { Survey } from '../snapshot.ts';
import { keep, remove } from '../store.ts';
import type { Texts } from '../strings/en.ts';
import { fill, useTexts } from '../strings/texts.ts';
import { syncNow } from '../sync.ts';
import { momentText } from '../time.ts';
import type { Draft } from './survey-screen.tsx';

/** Answers that the service does not have: nothing is lost without a word. */
export function Sent({ kept }: { kept: Kept }) {
  const { texts, language } = useTexts();
  const { outbox, snapshot, session } = kept;
  const open = outbox.filter(({ state }) => state !== 'sent').sort((a, b) => b.at.localeCompare(a.at));
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    await syncNow(language);
    setBusy(false);
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
            survey={snapshot?.surveys.find(({ identifier }) => identifier === given.survey)}
          />
        ))}
      </ul>
      {open.some(({ state }) => state === 'waiting') && (
        <Button class="wide" busy={busy} onClick={send}>
          {texts.sent.sendNow}
        </Button>
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
  const { identifier, items, at, state, notification, problem } = given;
  const [isAsking, setAsking] = useState(false);
  const isFinal = state === 'refused' || !isOwn;
  const again = async () => {
    const draft: Draft = { items, ...(notification && { notification }) };
    await keep(`draft:${given.survey}`, draft);
    await remove('outbox', identifier);
    go({ view: 'survey', survey: given.survey, ...(notification && { notification }) });
    reload();
  };
  return (
    <li class="card">
      <h2>{survey?.name ?? texts.sent.title}</h2>
      <p class="muted">{momentText(Date.parse(at), Date.now(), locale)}</p>
      <p class={isFinal ? 'bad' : undefined}>
        <Icon name="cloud" /> {isOwn ? reasonOf(given, texts) : texts.sent.other}
      </p>
      <dl>
        {Object.entries(items).map(([item, answer]) => (
          <div key={item}>
            <dt>{survey?.items.find((one) => one.identifier === item)?.label ?? item}</dt>
            <dd>{answer}</dd>
          </div>
        ))}
      </dl>
      {(isFinal || problem) && (
        <div class="buttons">
          {isOwn && survey && <Button onClick={again}>{texts.sent.again}</Button>}
          <Button look="danger" onClick={() => setAsking(true)}>
            {texts.sent.remove}
          </Button>
        </div>
      )}
      {isAsking && (
        <Dialog title={texts.sent.removeTitle} onClose={() => setAsking(false)}>
          <p>{texts.sent.removeText}</p>
          <Button look="danger" class="wide" onClick={() => void remove('outbox', identifier).then(reload)}>
            {texts.sent.remove}
          </Button>
        </Dialog>
      )}
    </li>
  );
}

/** Why the service does not have an answer. */
export function reasonOf({ problem }: Given, { sent }: Texts): string {
  switch (problem?.code) {
    case undefined:
      return sent.waiting;
    case 'limit.reached':
      return sent.reasonFull;
    case 'item.locked':
    case 'study.frozen':
      return sent.reasonLocked;
    case 'item.archived':
    case 'study.archived':
      return sent.reasonArchived;
    case 'survey.closed':
      return sent.reasonClosed;
  }
  if (problem?.status === 403 || problem?.status === 404) return sent.reasonGone;
  return `${sent.refusedText} ${fill(sent.reasonOther, { detail: problem?.detail ?? '' })}`;
}
