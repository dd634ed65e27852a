import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { strings } from '../common-strings.ts';
import { formatTime } from '../format.ts';
import { useStudy } from '../study-context.ts';
import { useUser } from '../user.tsx';
import { Button } from './button.tsx';

/** On paper only: the study, the period, who printed the page and when. */
export function PrintHead({ period }: { period?: ComponentChildren }) {
  const { study } = useStudy();
  const { name } = useUser();
  const moment = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The browser takes the page as it is at the end of this event.
    const note = () => {
      if (moment.current)
        moment.current.textContent = strings.print.by(name, formatTime(new Date().toISOString()));
    };
    note();
    addEventListener('beforeprint', note);
    return () => removeEventListener('beforeprint', note);
  }, [name]);
  return (
    <div class="print-head">
      <p class="print-study" dir="auto">
        {study.name}
      </p>
      {period && <p>{period}</p>}
      <p ref={moment} />
    </div>
  );
}

export const PrintButton = ({
  busy = false,
  onClick = () => print(),
}: {
  busy?: boolean;
  onClick?: () => void;
}) => (
  <Button icon="print" busy={busy} onClick={onClick}>
    {strings.print.button}
  </Button>
);
