import { useEffect, useRef, useState } from 'preact/hooks';
import { type Fault, faultOf, type Item, storedAnswers } from '../answers.ts';
import { Button, Heading, Link, Status } from '../components.tsx';
import { type Kept, reload } from '../kept-state.ts';
import { flush, give, noteReceipt, type Outcome, sendNow } from '../outbox.ts';
import type { Survey } from '../snapshot.ts';
import { keep, readKept } from '../store.ts';
import { counted, useTexts } from '../strings/texts.ts';
import { syncNow } from '../sync.ts';
import { Question } from './question.tsx';

/** The answers that somebody has entered so far. They survive a closed page. */
export interface Draft {
  items: Record<string, string>;
  notification?: string;
}

interface Props {
  place: { survey: string; notification?: string };
  kept: Kept;
}

export function SurveyScreen({ place, kept }: Props) {
  const { texts, language } = useTexts();
  const [draft, setDraft] = useState<Draft>();
  const [done, setDone] = useState<Outcome>();
  const survey = kept.snapshot?.surveys.find(({ identifier }) => identifier === place.survey);
  useEffect(() => {
    void readKept<Draft>(`draft:${place.survey}`).then((found) => setDraft(found ?? { items: {} }));
    if (place.notification) void noteReceipt(place.notification, 'opened').then(() => void flush());
  }, []);
  if (done)
    return (
      <>
        <Heading>{done === 'refused' ? texts.sent.refusedText : texts.survey[done]}</Heading>
        {done === 'refused' ? (
          <Link to={{ view: 'sent' }}>{texts.today.refusedLink}</Link>
        ) : (
          <div class="nothing">
            <Tick />
          </div>
        )}
        <Link to={{ view: 'today' }} class="button main wide">
          {texts.today.title}
        </Link>
      </>
    );
  if (!kept.snapshot || !draft) return <p class="loading">{texts.today.loading}</p>;
  if (!survey)
    return (
      <>
        <Heading>{texts.survey.gone}</Heading>
        <p class="lead">{texts.survey.goneText}</p>
        <Link to={{ view: 'today' }} class="button main wide">
          {texts.back}
        </Link>
      </>
    );
  const onGiven = async (items: Record<string, string>) => {
    const notification = place.notification ?? draft.notification;
    setDone(await sendNow(await give(survey, { items, notification })));
    reload();
    void syncNow(language);
  };
  return <SurveyForm survey={survey} draft={draft} onGiven={onGiven} notification={place.notification} />;
}

interface FormProps {
  survey: Survey;
  draft: Draft;
  notification: string | undefined;
  onGiven: (items: Record<string, string>) => Promise<void>;
}

function SurveyForm({ survey, draft, notification, onGiven }: FormProps) {
  const { texts, language } = useTexts();
  const [typed, setTyped] = useState(draft.items);
  const [faults, setFaults] = useState<Record<string, Fault | undefined>>({});
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const items: readonly Item[] = survey.items;
  const change = (identifier: string, value: string) => {
    const all = { ...typed, [identifier]: value };
    setTyped(all);
    setFaults({ ...faults, [identifier]: undefined });
    void keep(`draft:${survey.identifier}`, {
      items: all,
      ...(notification && { notification }),
    } satisfies Draft);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy) return;
    const found = items.map(
      (item) => [item.identifier, faultOf(item, typed[item.identifier] ?? '')] as const,
    );
    setFaults(Object.fromEntries(found));
    const [first] = found.find(([, fault]) => fault) ?? [];
    if (first !== undefined) return requestAnimationFrame(() => focusQuestion(form.current, first));
    setBusy(true);
    await onGiven(storedAnswers(items, typed));
  };
  const wrong = Object.values(faults).filter(Boolean).length;
  const hasRequired = items.some(({ answer }) => answer?.required);
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Heading>{survey.name}</Heading>
      {items.length === 0 && <p class="lead">{texts.survey.empty}</p>}
      {hasRequired && <p class="muted">{texts.survey.optional}</p>}
      {items.map((item) => (
        <Question
          key={item.identifier}
          item={item}
          value={typed[item.identifier] ?? ''}
          fault={faults[item.identifier]}
          onChange={(value) => change(item.identifier, value)}
        />
      ))}
      <Status look="bad">{wrong > 0 && counted(texts.survey.wrong, wrong, language)}</Status>
      {items.length > 0 && (
        <Button type="submit" look="main" class="wide" busy={busy}>
          {texts.survey.send}
        </Button>
      )}
    </form>
  );
}

/** The first control of a question. */
const focusQuestion = (form: HTMLFormElement | null, identifier: string) =>
  form
    ?.querySelector<HTMLElement>(`[data-question="${CSS.escape(identifier)}"] :is(input, textarea)`)
    ?.focus();

const Tick = () => (
  <svg class="tick" viewBox="0 0 64 64" aria-hidden="true">
    <circle cx="32" cy="32" r="30" />
    <path d="M20 33l8.500 8.500L45 25" />
  </svg>
);
