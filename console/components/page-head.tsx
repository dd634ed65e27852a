import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { strings } from '../common-strings.ts';
import { isDialogOpen } from '../keys.ts';
import { Icon } from './icon.tsx';

/** The title of a screen. The title gets the focus when the screen opens, so that screen readers begin there. */
export function PageHead({
  title,
  about,
  back,
  children,
}: {
  title: string;
  /** The list or page above this one. */
  back?: { href: string; label: string } | undefined;
  about?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${strings.product}`;
  }, [title]);
  useEffect(() => {
    // Does not take the focus from a dialog that a deep link has opened.
    if (!isDialogOpen()) ref.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header class="page-head">
      <div>
        {back && (
          <a class="back" href={back.href}>
            <Icon name="back" />
            {back.label}
          </a>
        )}
        <h1 ref={ref} tabIndex={-1} dir="auto">
          {title}
        </h1>
        {about && <p class="muted">{about}</p>}
      </div>
      {children && <div class="page-actions">{children}</div>}
    </header>
  );
}
