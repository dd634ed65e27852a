import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { strings } from '../common-strings.ts';
import { formatNumber } from '../format.ts';
import { Icon, type IconName } from './icon.tsx';
import { ProblemNote } from './problem-note.tsx';

/** Work with a known end (`done` of `total`), or else with its duration so far. */
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

/** Seconds since the first display. */
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

/** In place of an answer that is not read: the reason, or a placeholder. */
export const Unread = ({ error, reload }: { error: unknown; reload: () => void }) =>
  error ? <ProblemNote error={error} onRetry={reload} /> : <Loading />;

/** Explains why a list is empty, and what to do next. */
export function EmptyState({
  icon,
  title,
  about,
  children,
}: {
  icon: IconName;
  title: string;
  about?: string | undefined;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <p class="empty-title">{title}</p>
      {about && <p>{about}</p>}
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
