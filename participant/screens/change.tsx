import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { isProblem } from '../api.ts';
import { Status } from '../components.tsx';
import { reload } from '../kept-state.ts';
import { fill, useTexts } from '../strings/texts.ts';

/** Runs a change, and says how it went, in words. */
export function useChange() {
  const { settings } = useTexts().texts;
  const [said, setSaid] = useState<{ text: string; variant: 'good' | 'bad' }>();
  const [busy, setBusy] = useState(false);
  const change = async (act: () => Promise<unknown>, done: string = settings.saved) => {
    if (busy) return;
    setBusy(true);
    try {
      await act();
      setSaid({ text: done, variant: 'good' });
    } catch (error) {
      const text = isProblem(error)
        ? fill(settings.failed, { detail: error.errors[0]?.detail ?? error.message })
        : settings.needsNetwork;
      setSaid({ text, variant: 'bad' });
    }
    setBusy(false);
    reload();
  };
  return {
    change,
    busy,
    status: <Status variant={said?.variant ?? 'good'}>{said?.text}</Status>,
    say: setSaid,
  };
}

interface SectionProps {
  title: string;
  text: string;
  children: ComponentChildren;
}

export const Section = ({ title, text, children }: SectionProps) => (
  <section class="card">
    <h2>{title}</h2>
    <p class="muted">{text}</p>
    {children}
  </section>
);
