import type { ComponentChildren } from 'preact';
import { strings } from '../strings/common.ts';
import { Icon, type IconName } from './icon.tsx';

/** Work whose end is known (`done` of `total`), or not. */
export function Progress({ label, done, total }: { label: string; done?: number; total?: number }) {
  return (
    <div class="progress">
      <p aria-live="polite">{label}</p>
      <progress aria-label={label} {...(total !== undefined && { value: done ?? 0, max: total })} />
    </div>
  );
}

/** In the place of what is not there yet. Appears after a moment, so that what is quick does not flicker. */
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
