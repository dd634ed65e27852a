import { Button, Heading } from '../components.tsx';
import { readCode } from '../enrol.ts';
import { fill, useTexts } from '../strings/texts.ts';

/** The browser gives the page no place for answers: a code is not used up then. */
export function NoMemory({ code }: { code: string }) {
  const { trouble } = useTexts().texts;
  const shown = readCode(code);
  return (
    <main>
      <Heading>{trouble.title}</Heading>
      <p class="lead">{trouble.text}</p>
      {shown && <p>{fill(trouble.code, { code: shown })}</p>}
      <Button variant="main" class="wide" onClick={() => location.reload()}>
        {trouble.reload}
      </Button>
    </main>
  );
}
