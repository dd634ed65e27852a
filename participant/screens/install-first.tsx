import { useEffect, useState } from 'preact/hooks';
import { Button, Heading, Status } from '../components.tsx';
import { readCode } from '../enrol.ts';
import { startWith } from '../home-screen.ts';
import { useTexts } from '../strings/texts.ts';
import { InstallSteps } from './pictures.tsx';

/** An iPhone before joining: the page on its home screen begins with the code. */
export function InstallFirst({ code, onSkip }: { code: string; onSkip: () => void }) {
  const { join } = useTexts().texts;
  const [isCopied, setCopied] = useState(false);
  const shown = readCode(code);
  useEffect(() => {
    void startWith(shown ?? undefined, 'home').catch(() => undefined);
    return () => void startWith(undefined, 'home').catch(() => undefined);
  }, [shown]);
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
      <InstallSteps code={undefined} />
      <Button variant="plain" class="wide" onClick={onSkip}>
        {join.withoutReminders}
      </Button>
    </>
  );
}
