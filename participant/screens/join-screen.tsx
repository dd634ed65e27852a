import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, Field, Heading, Status } from '../components.tsx';
import { type About, enrol, type Refused, readAbout, readCode, wasSent } from '../enrol.ts';
import { readLaunch } from '../home-screen.ts';
import { type Kept, reload } from '../kept-state.ts';
import { wasDeleted } from '../participation.ts';
import { mustInstall } from '../permission.ts';
import { go } from '../places.ts';
import { fill, useTexts } from '../strings/texts.ts';
import { Again } from './again.tsx';
import { Continue } from './continue.tsx';
import { InformationText } from './information.tsx';
import { InstallFirst } from './install-first.tsx';

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
  if (readLaunch() === 'own' && code && !kept.session) return <Continue code={code} onDone={onDone} />;
  if (!isSure) return <Again kept={kept} onSure={() => setSure(true)} onDone={onDone} />;
  return (
    <>
      {kept.session === undefined && <Deleted />}
      {installs ? (
        <InstallFirst code={code} onSkip={() => setInstalls(false)} />
      ) : (
        <CodeForm code={code} onDone={onDone} />
      )}
    </>
  );
}

function Deleted() {
  const { settings } = useTexts().texts;
  return wasDeleted() ? <p class="note good">{settings.deleted}</p> : null;
}

const faults = {
  short: 'codeShort',
  unknown: 'codeUnknown',
  tooMany: 'tooMany',
  offline: 'offline',
  changed: 'changed',
  full: 'full',
  failed: 'failed',
} as const satisfies Record<Refused, string>;

/** The study of the typed code, asked as soon as it is a whole one. */
function useAbout(typed: string) {
  const { language } = useTexts();
  const latest = useRef<Promise<About | Refused> | undefined>(undefined);
  const [about, setAbout] = useState<About>();
  const code = readCode(typed);
  const ask = (whole: string): Promise<About | Refused> => {
    const answer = readAbout(whole, language);
    latest.current = answer;
    // Another code was typed meanwhile.
    void answer.then((found) => latest.current === answer && typeof found !== 'string' && setAbout(found));
    return answer;
  };
  const forget = () => {
    latest.current = undefined;
    setAbout(undefined);
  };
  useEffect(() => {
    forget();
    if (code) void ask(code);
  }, [code]);
  return { code, about, ask, forget };
}

function CodeForm({ code: fromLink, onDone }: Pick<Props, 'code' | 'onDone'>) {
  const { texts, language } = useTexts();
  const { join } = texts;
  const [typed, setTyped] = useState(readCode(fromLink) ?? fromLink);
  const [name, setName] = useState('');
  const [refused, setRefused] = useState<Refused>();
  const [busy, setBusy] = useState(false);
  const { code, about, ask, forget } = useAbout(typed);
  /** The text that the person has before their eyes. */
  const [read, setRead] = useState<About>();
  const isOfCode = refused === 'short' || refused === 'unknown';
  // A link leads to the text at once; a typed code needs a press first.
  useEffect(() => {
    if (about?.information && readCode(fromLink) === code) setRead(about);
  }, [about]);

  /** Resolves with why nobody joined; undefined if they did, or read first. */
  async function takePart(): Promise<Refused | undefined> {
    if (code === null) return 'short';
    const answer = read ?? about ?? (await ask(code));
    // The answer of the first press was lost: its secret finds the participant.
    if (typeof answer === 'string' && !(answer === 'unknown' && (await wasSent(code)))) return answer;
    const known = typeof answer === 'string' ? undefined : answer;
    if (known?.information && !read) {
      setRead(known);
      return undefined;
    }
    const why = await enrol(code, { name, language, about: known });
    if (why === 'changed') {
      forget();
      const fresh = await ask(code);
      if (typeof fresh === 'string') return fresh;
      setRead(fresh.information ? fresh : undefined);
    }
    if (why) return why;
    onDone();
    go({ view: 'reminders' }, { replaces: true });
    reload();
    return undefined;
  }

  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setRefused(undefined);
    const why = await takePart().catch((): Refused => 'failed');
    setBusy(false);
    setRefused(why);
    // Once its fault is shown.
    if (why) requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  };
  const nameField = (
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
  );
  const button = (
    <>
      <Status variant="bad">{refused && !(isOfCode && !read) && join[faults[refused]]}</Status>
      <Button type="submit" variant="main" class="wide" busy={busy}>
        {busy ? join.joining : read ? join.agree : join.submit}
      </Button>
    </>
  );
  if (read?.information)
    return (
      <form key="read" onSubmit={submit} noValidate>
        <p class="muted" dir="auto">
          {read.investigation.name}
        </p>
        <Heading lang={read.information.language}>{read.information.title}</Heading>
        <InformationText of={read.information} />
        {nameField}
        {button}
        <Button
          variant="plain"
          class="wide"
          onClick={() => {
            setRead(undefined);
            setRefused(undefined);
            setTyped('');
          }}
        >
          {join.otherCode}
        </Button>
      </form>
    );
  return (
    <form key="code" onSubmit={submit} noValidate>
      <Heading>{join.title}</Heading>
      <p class="lead">{readCode(fromLink) ? join.codeFromLink : join.intro}</p>
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
          />
        )}
      </Field>
      {nameField}
      {button}
      {/* Below the button, which a late answer must not move from under a finger. */}
      <Status>{about && fill(join.study, { study: about.investigation.name })}</Status>
    </form>
  );
}
