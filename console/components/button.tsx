import type { ButtonHTMLAttributes } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface Props extends Omit<ButtonHTMLAttributes, 'icon'> {
  kind?: 'primary' | 'danger' | 'plain' | 'quiet';
  icon?: IconName;
  /** Work is under way: the button keeps its place and the focus, and does nothing. */
  busy?: boolean;
  /** Nobody can press it now: the id of the text that says why. */
  blockedBy?: string | undefined;
  /** Only for screen readers, if the icon says enough. */
  hideLabel?: boolean;
}

export function Button({
  kind = 'plain',
  icon,
  busy = false,
  blockedBy,
  hideLabel = false,
  children,
  onClick,
  ...more
}: Props) {
  return (
    <button
      type="button"
      {...more}
      class={`button ${kind}`}
      aria-disabled={busy || blockedBy !== undefined || undefined}
      aria-describedby={blockedBy}
      title={hideLabel && typeof children === 'string' ? children : undefined}
      onClick={(event) => {
        if (busy || blockedBy !== undefined) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <span class="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      {hideLabel ? <span class="hidden-label">{children}</span> : children}
    </button>
  );
}
