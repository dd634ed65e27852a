import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { type Entered, type Fault, faultOf, type Item, lastDate, storedAnswers } from '../answers.ts';
import { Button, Heading, Status } from '../components.tsx';
import type { Survey } from '../snapshot.ts';
import { counted, useTexts } from '../strings/texts.ts';
import { Question } from './question.tsx';

interface Props {
  survey: Survey;
  entered: Entered;
  /** The text of the button. */
  action: string;
  onChange: (entered: Entered) => void;
  /** Resolves with what went wrong; empty if all is well, or another screen says it. */
  onSend: (items: Record<string, string>) => Promise<string>;
  children?: ComponentChildren;
}

/** Faults that are told while somebody types: the longer they wait, the more work is lost. Years grow digit by digit. */
const isToldAtOnce = (fault: Fault | undefined, value: string) =>
  fault === 'long' || fault === 'characters' || (fault === 'date' && value.length > lastDate.length);

/** A request has at most 1 MiB. */
const mostBytes = 1_000_000;

export function SurveyForm({ survey, entered, action, onChange, onSend, children }: Props) {
  const { texts, language } = useTexts();
  const [faults, setFaults] = useState<Record<string, Fault | undefined>>({});
  const [said, setSaid] = useState('');
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const items: readonly Item[] = survey.items;
  const find = (item: Item, { items: typed, chosen }: Entered) =>
    unreadableIn(form.current, item) ?? faultOf(item, typed[item.identifier] ?? '', chosen[item.identifier]);
  const change = (item: Item, value: string, reading = '') => {
    const { identifier } = item;
    const next = {
      items: { ...entered.items, [identifier]: value },
      chosen: { ...entered.chosen, [identifier]: reading },
    };
    onChange(next);
    const fault = faultOf(item, value, reading);
    setFaults({ ...faults, [identifier]: isToldAtOnce(fault, value) ? fault : undefined });
    setSaid('');
  };
  const submit = async () => {
    if (busy) return;
    const results = items.map((item) => [item.identifier, find(item, entered)] as const);
    setFaults(Object.fromEntries(results));
    const wrong = results.filter(([, fault]) => fault);
    if (wrong[0]) {
      const [first] = wrong[0];
      setSaid(counted(texts.survey.wrong, wrong.length, language));
      return requestAnimationFrame(() => focusQuestion(form.current, first));
    }
    const answers = storedAnswers(items, entered);
    if (new TextEncoder().encode(JSON.stringify(answers)).length > mostBytes)
      return setSaid(texts.survey.large);
    setBusy(true);
    try {
      setSaid(await onSend(answers));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form ref={form} onSubmit={(event) => event.preventDefault()} onKeyDown={moveOn} noValidate>
      <Heading>{survey.name}</Heading>
      {items.length === 0 && <p class="lead">{texts.survey.empty}</p>}
      {items.some(({ answer }) => answer?.required) && <p class="muted">{texts.survey.optional}</p>}
      {items.map((item) => (
        <Question
          key={item.identifier}
          item={item}
          value={entered.items[item.identifier] ?? ''}
          fault={faults[item.identifier]}
          onChange={(value) => change(item, value)}
          onRead={(reading) => {
            change(item, entered.items[item.identifier] ?? '', reading);
            focusQuestion(form.current, item.identifier);
          }}
        />
      ))}
      {children}
      <Status variant="bad">{said}</Status>
      {items.length > 0 && (
        <Button variant="main" class="wide" busy={busy} onClick={submit}>
          {action}
        </Button>
      )}
    </form>
  );
}

const controls = ':is(input, textarea)';

/** The first control of a question. */
const focusQuestion = (form: HTMLFormElement | null, identifier: string) =>
  form?.querySelector<HTMLElement>(`[data-question="${CSS.escape(identifier)}"] ${controls}`)?.focus();

/** A date or time that was begun: the browser says that it has none. */
function unreadableIn(form: HTMLFormElement | null, { identifier, answer }: Item): Fault | undefined {
  if (answer?.kind !== 'date' && answer?.kind !== 'time') return undefined;
  const input = form?.querySelector<HTMLInputElement>(`[data-question="${CSS.escape(identifier)}"] input`);
  return input?.validity.badInput ? answer.kind : undefined;
}

/** Enter within a field goes to the next question, or to the button: it never sends half a survey. */
function moveOn(event: KeyboardEvent) {
  const { target, currentTarget } = event;
  if (event.key !== 'Enter' || !(target instanceof HTMLInputElement)) return;
  event.preventDefault();
  const question = target.closest('[data-question]');
  const all = [
    ...(currentTarget as HTMLFormElement).querySelectorAll<HTMLElement>(
      `[data-question] ${controls}, button.main`,
    ),
  ];
  const here = all.indexOf(target);
  all
    .slice(here + 1)
    .find((control) => control.closest('[data-question]') !== question)
    ?.focus();
}
