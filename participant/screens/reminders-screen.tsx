import { useEffect, useState } from 'preact/hooks';
import { api, isProblem } from '../api.ts';
import { Button, Heading, Link, Status } from '../components.tsx';
import { type Kept, reload } from '../kept-state.ts';
import { askPermission, type Permission, readPermission } from '../permission.ts';
import { go } from '../places.ts';
import { startReminders, stopReminders } from '../reminding.ts';
import { useTexts } from '../strings/texts.ts';
import { syncNow } from '../sync.ts';
import { InstallSteps, UnblockSteps } from './pictures.tsx';

type Said = 'asking' | 'tested' | 'failed' | 'unavailable';

/** Reminders of this phone: allowed after a press only, and never in the way of taking part. */
export function Reminders({ kept }: { kept: Kept }) {
  const { texts, language } = useTexts();
  const { reminders } = texts;
  const [permission, setPermission] = useState<Permission>(readPermission);
  const [said, setSaid] = useState<Said>();
  const [busy, setBusy] = useState(false);
  // Somebody may change it in the settings of the phone, and come back.
  useEffect(() => {
    const read = () => setPermission(readPermission());
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, []);

  const during = async (act: () => Promise<Said | undefined>) => {
    if (busy) return;
    setBusy(true);
    setSaid(await act().catch((): Said => 'failed'));
    setBusy(false);
    reload();
  };
  const allow = () =>
    during(async () => {
      setSaid('asking');
      const now = await askPermission();
      setPermission(now);
      if (now !== 'granted') return undefined;
      if (!(await startReminders(language))) return 'unavailable';
      await syncNow(language);
      return undefined;
    });
  const stop = () =>
    during(async () => {
      await stopReminders();
      return undefined;
    });
  const test = () =>
    during(async () => {
      try {
        await api.device[':id'].test.$post({ param: { id: kept.device ?? '' } });
        return 'tested';
      } catch (error) {
        // The subscription is dead: the next one is another.
        if (isProblem(error, 404, 409)) await startReminders(language);
        throw error;
      }
    });

  const titles: Partial<Record<Kept['reminders'], string>> = {
    on: reminders.on,
    unknown: reminders.title,
    failing: reminders.failing,
    blocked: reminders.lost,
  };
  const messages: Record<Said, string> = {
    asking: reminders.asking,
    tested: reminders.tested,
    failed: reminders.failed,
    unavailable: `${reminders.unavailable}. ${reminders.unavailableText}`,
  };
  return (
    <>
      <Heading>{titleOf()}</Heading>
      {content()}
      <Status variant={said === 'failed' || said === 'unavailable' ? 'bad' : 'good'}>
        {said && messages[said]}
      </Status>
    </>
  );

  function titleOf(): string {
    if (permission === 'granted' || permission === 'ask') return titles[kept.reminders] ?? reminders.ask;
    return reminders[permission];
  }

  function content() {
    if (permission === 'install' || permission === 'denied' || permission === 'unsupported')
      return (
        <>
          <p class="lead">{reminders[`${permission}Text`]}</p>
          {permission === 'install' && <InstallSteps code={kept.homeCode} />}
          {permission === 'denied' && <UnblockSteps />}
          {permission === 'denied' && <p>{reminders.deniedApp}</p>}
          <NotNow />
        </>
      );
    if (kept.reminders === 'failing')
      return (
        <>
          <p class="lead">{reminders.failingText}</p>
          <Button variant="main" class="wide" busy={busy} onClick={allow}>
            {reminders.again}
          </Button>
          <Button variant="plain" class="wide" busy={busy} onClick={stop}>
            {reminders.off}
          </Button>
        </>
      );
    if (kept.device)
      return (
        <>
          <p class="lead">{kept.reminders === 'on' ? reminders.onText : reminders.unsure}</p>
          <Link to={{ view: 'today' }} class="button main wide">
            {texts.today.title}
          </Link>
          <Button class="wide" busy={busy} onClick={test}>
            {reminders.test}
          </Button>
          <Button variant="plain" class="wide" busy={busy} onClick={stop}>
            {reminders.off}
          </Button>
        </>
      );
    return (
      <>
        <p class="lead">{reminders.askText}</p>
        <Button variant="main" class="wide" busy={busy} onClick={allow}>
          {reminders.allow}
        </Button>
        <NotNow />
      </>
    );
  }
}

function NotNow() {
  const { reminders } = useTexts().texts;
  return (
    <Button variant="plain" class="wide" onClick={() => go({ view: 'today' })}>
      {reminders.notNow}
    </Button>
  );
}
