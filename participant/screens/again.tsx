import { Button, Heading } from '../components.tsx';
import type { Kept } from '../kept-state.ts';
import { go } from '../places.ts';
import { counted, fill, useTexts } from '../strings/texts.ts';
import { isUnsent } from '../submissions.ts';

/** Nobody loses their place in a study because of a second link. */
export function Again({ kept, onSure, onDone }: { kept: Kept; onSure: () => void; onDone: () => void }) {
  const { texts, language } = useTexts();
  const { join } = texts;
  const waiting = kept.outbox.filter(isUnsent).length;
  return (
    <>
      <Heading>{join.again}</Heading>
      <p>{fill(join.againText, { study: kept.session?.study.name ?? '' })}</p>
      {waiting > 0 && <p class="note bad">{counted(join.againWaiting, waiting, language)}</p>}
      <Button
        variant="main"
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
