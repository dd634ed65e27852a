import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { strings } from '../common-strings.ts';
import { formatNumber } from '../format.ts';
import { Icon, type IconName } from './icon.tsx';

/** Work whose end is known (`done` of `total`); otherwise it says for how long it has gone on. */
export function Progress({ label, done = 0, total }: { label: string; done?: number; total?: number }) {
  const seconds = useSeconds();
  return (
    <div class="progress">
      <p aria-live="polite">{label}</p>
      <progress aria-label={label} {...(total !== undefined && { value: done, max: total })} />
      {total === undefined && seconds > 1 && (
        <p class="muted" role="timer">
          {strings.elapsed(formatNumber(seconds))}
        </p>
      )}
    </div>
  );
}

/** Since this is shown. */
function useSeconds(): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const begun = performance.now();
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - begun) / 1000)), 1000);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}

/** A placeholder. Appears after a moment, so that quick answers do not flicker. */
export function Loading() {
  return (
    <p class="loading" role="status">
      <span class="spinner" aria-hidden="true" /> {strings.loading}
    </p>
  );
}

/** Says why there is nothing, and what to do about it. */
export function EmptyState({
  icon,
  title,
  children,
}: {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent';

export function Badge({
  tone = 'plain',
  icon,
  children,
}: {
  tone?: Tone;
  icon?: IconName;
  children: ComponentChildren;
}) {
  return (
    <span class={`badge ${tone}`}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  );
}
