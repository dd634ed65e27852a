import { useState } from 'preact/hooks';
import { Button, Dialog } from '../components.tsx';
import type { Kept } from '../kept-state.ts';
import { flush } from '../outbox.ts';
import { deleteMe, leave } from '../participation.ts';
import { go } from '../places.ts';
import { counted, fill, useTexts } from '../strings/texts.ts';
import { isUnsent } from '../submissions.ts';
import { Section, useChange } from './change.tsx';

/** Leaving the study, and deleting the account. Both are asked about once more. */
export function Farewell({ kept }: { kept: Kept }) {
  const { settings } = useTexts().texts;
  const [asked, setAsked] = useState<'leave' | 'delete'>();
  const ask = (what: 'leave' | 'delete') => () => {
    // Waiting answers go first, if they can.
    void flush().catch(() => false);
    setAsked(what);
  };
  const isMember = (kept.snapshot?.studies.length ?? 0) > 0;
  return (
    <>
      {isMember && (
        <Section title={settings.leave} text={settings.leaveText}>
          <Button onClick={ask('leave')}>{settings.leave}</Button>
        </Section>
      )}
      <Section title={settings.delete} text={settings.deleteText}>
        <Button variant="danger" onClick={ask('delete')}>
          {settings.delete}
        </Button>
      </Section>
      {asked && <Sure what={asked} kept={kept} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function Sure({ what, kept, onClose }: { what: 'leave' | 'delete'; kept: Kept; onClose: () => void }) {
  const { texts, language } = useTexts();
  const { settings } = texts;
  const { change, busy, status } = useChange();
  const unsent = kept.outbox.filter(isUnsent).length;
  const isLeaving = what === 'leave';
  const act = async () => {
    await (isLeaving ? leave() : deleteMe());
    go({ view: 'today' }, { replaces: true });
  };
  return (
    <Dialog
      title={
        isLeaving
          ? fill(settings.leaveTitle, { study: kept.session?.study.name ?? '' })
          : settings.deleteTitle
      }
      onClose={onClose}
    >
      <p>{isLeaving ? settings.leaveText : settings.deleteText}</p>
      {unsent > 0 && <p class="note bad">{counted(settings.unsent, unsent, language)}</p>}
      <Button
        variant="danger"
        class="wide"
        busy={busy}
        onClick={() => change(act, isLeaving ? settings.left : settings.deleted)}
      >
        {isLeaving ? settings.leaveSubmit : settings.deleteSubmit}
      </Button>
      {status}
    </Dialog>
  );
}
