import { useState } from 'preact/hooks';
import { Button, Field, Heading, Status } from '../components.tsx';
import { enrol, type Refused, readCode } from '../enrol.ts';
import { type Kept, reload } from '../kept-state.ts';
import { mustInstall } from '../permission.ts';
import { go } from '../places.ts';
import { counted, fill, useTexts } from '../strings/texts.ts';
import { InstallSteps } from './pictures.tsx';

interface Props {
  /** Of the link that led here. */
  code: string;
  kept: Kept;
  onDone: () => void;
}

/** Taking part by a code. */
export function Join({ code, kept, onDone }: Props) {
  // On an iPhone the page on the home screen knows nothing of this one, and most codes work once.
  const [installs, setInstalls] = useState(mustInstall() && kept.session === undefined);
  const [isSure, setSure] = useState(kept.session === undefined || kept.session.ended === true);
  if (!isSure) return <Again kept={kept} onSure={() => setSure(true)} onDone={onDone} />;
  if (installs) return <InstallFirst code={code} onSkip={() => setInstalls(false)} />;
  return <CodeForm code={code} onDone={onDone} />;
}

const faults = {
  short: 'codeShort',
  unknown: 'codeUnknown',
  tooMany: 'tooMany',
  offline: 'offline',
  failed: 'failed',
} as const satisfies Record<Refused, string>;

function CodeForm({ code, onDone }: Pick<Props, 'code' | 'onDone'>) {
  const { texts, language } = useTexts();
  const { join } = texts;
  const [typed, setTyped] = useState(readCode(code) ?? code);
  const [name, setName] = useState('');
  const [refused, setRefused] = useState<Refused>();
  const [busy, setBusy] = useState(false);
  const isOfCode = refused === 'short' || refused === 'unknown';
  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setRefused(undefined);
    const why = await enrol(typed, name, language);
    setBusy(false);
    setRefused(why);
    // Once its fault is shown.
    if (why)
      return requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid]')?.focus());
    onDone();
    go({ view: 'reminders' }, { replaces: true });
    reload();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Heading>{join.title}</Heading>
      <p class="lead">{readCode(code) ? join.codeFromLink : join.intro}</p>
      <Field label={join.code} hint={join.codeHint} fault={isOfCode ? join[faults[refused]] : undefined}>
        {(ids) => (
          <input
            {...ids}
            class="code"
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            autocomplete="off"
            autocapitalize="characters"
            spellcheck={false}
            maxLength={40}
          />
        )}
      </Field>
      <Field label={join.name} hint={join.nameHint}>
        {(ids) => (
          <input
            {...ids}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
            autocomplete="nickname"
            maxLength={100}
          />
        )}
      </Field>
      <Status look="bad">{refused && !isOfCode && join[faults[refused]]}</Status>
      <Button type="submit" look="main" class="wide" busy={busy}>
        {busy ? join.joining : join.submit}
      </Button>
    </form>
  );
}

function InstallFirst({ code, onSkip }: { code: string; onSkip: () => void }) {
  const { join } = useTexts().texts;
  const [isCopied, setCopied] = useState(false);
  const shown = readCode(code);
  return (
    <>
      <Heading>{join.installFirst}</Heading>
      <p class="lead">{join.installFirstText}</p>
      {shown && (
        <div class="card">
          <p class="code shown">{shown}</p>
          <Button
            class="wide"
            onClick={() =>
              void navigator.clipboard.writeText(shown).then(
                () => setCopied(true),
                () => undefined,
              )
            }
          >
            {join.copy}
          </Button>
          <Status>{isCopied && join.copied}</Status>
        </div>
      )}
      <InstallSteps />
      <Button look="plain" class="wide" onClick={onSkip}>
        {join.withoutReminders}
      </Button>
    </>
  );
}

/** Nobody loses their place in a study because of a second link. */
function Again({ kept, onSure, onDone }: { kept: Kept; onSure: () => void; onDone: () => void }) {
  const { texts, language } = useTexts();
  const { join } = texts;
  const waiting = kept.outbox.filter(({ state }) => state !== 'sent').length;
  return (
    <>
      <Heading>{join.again}</Heading>
      <p>{fill(join.againText, { study: kept.session?.study.name ?? '' })}</p>
      {waiting > 0 && <p class="note bad">{counted(join.againWaiting, waiting, language)}</p>}
      <Button
        look="main"
        class="wide"
        onClick={() => {
          onDone();
          go({ view: 'today' }, { replaces: true });
        }}
      >
        {join.againKeep}
      </Button>
      <Button class="wide" onClick={onSure}>
        {join.againSubmit}
      </Button>
    </>
  );
}
