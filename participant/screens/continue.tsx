import { useEffect, useState } from 'preact/hooks';
import { Button, Heading, Status } from '../components.tsx';
import { enrol, type Refused } from '../enrol.ts';
import { reload } from '../kept-state.ts';
import { go } from '../places.ts';
import { useTexts } from '../strings/texts.ts';

/** The page on the home screen continues as the participant whose page in the browser made the code. */
export function Continue({ code, onDone }: { code: string; onDone: () => void }) {
  const { texts, language } = useTexts();
  const { join } = texts;
  const [refused, setRefused] = useState<Refused>();
  const [busy, setBusy] = useState(false);
  const proceed = async () => {
    setBusy(true);
    setRefused(undefined);
    const why = await enrol(code, { language }).catch((): Refused => 'failed');
    setBusy(false);
    setRefused(why);
    if (why) return;
    onDone();
    go({ view: 'reminders' }, { replaces: true });
    reload();
  };
  useEffect(() => void proceed(), []);
  if (refused !== 'unknown' && refused !== 'short')
    return (
      <>
        <Heading>{join.continue}</Heading>
        <Status variant="bad">
          {refused && join[refused === 'full' || refused === 'changed' ? 'failed' : refused]}
        </Status>
        <Button variant="main" class="wide" busy={busy} onClick={() => void proceed()}>
          {busy ? join.joining : join.continueSubmit}
        </Button>
      </>
    );
  return (
    <>
      <Heading>{join.continueOver}</Heading>
      <p>{join.continueOverText}</p>
      <Button variant="main" class="wide" onClick={onDone}>
        {texts.ended.submit}
      </Button>
    </>
  );
}
