import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { addressOf, go, type Place } from './places.ts';
import { useTexts } from './strings/texts.ts';

type ButtonProps = JSX.IntrinsicElements['button'] & {
  variant?: 'main' | 'quiet' | 'danger' | 'plain';
  busy?: boolean | undefined;
};

/** A busy button stays in its place and keeps the focus, and does nothing. */
export function Button({ variant = 'quiet', busy = false, onClick, class: more = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={`button ${variant} ${more}`}
      aria-disabled={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    />
  );
}

interface LinkProps {
  to: Place;
  class?: string;
  children: ComponentChildren;
  label?: string;
  /** Before the other screen opens here. */
  onPress?: () => void;
}

/** A link to another screen, which also opens in a new tab. */
export function Link({ to, label, onPress, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={addressOf(to)}
      aria-label={label}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onPress?.();
        go(to);
      }}
    />
  );
}

/** The heading of a screen: it sets the title and takes the focus. */
export function Heading({ children, lang }: { children: string; lang?: string }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${children} · Fieldbell`;
  }, [children]);
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  return (
    <h1 ref={ref} tabIndex={-1} lang={lang} dir={lang ? 'auto' : undefined}>
      {children}
    </h1>
  );
}

/** News that screen readers read out. The element is there before its text. */
export function Status({
  children,
  variant = 'good',
}: {
  children?: ComponentChildren;
  variant?: 'good' | 'bad';
}) {
  return (
    <div role="status" class={children ? `note ${variant}` : undefined}>
      {children}
    </div>
  );
}

/** Attributes that tie a control to its label, its hint and its fault. */
export interface FieldIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
}

interface FieldProps {
  label: string;
  hint?: string | undefined;
  fault?: string | undefined;
  children: (ids: FieldIds) => ComponentChildren;
}

export function Field({ label, hint, fault, children }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': fault ? true : undefined })}
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

interface DialogProps {
  title: string;
  onClose: () => void;
  /** Of the button that changes nothing. */
  close?: string;
  children: ComponentChildren;
}

/** A question before something that cannot be undone. The browser keeps the focus in it, and Escape closes it. */
export function Dialog({ title, onClose, close, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const { texts } = useTexts();
  useEffect(() => {
    // An older Safari knows no dialogs: the question then stands at its place.
    if (ref.current?.showModal) ref.current.showModal();
    else ref.current?.setAttribute('open', '');
  }, []);
  const end = () => (ref.current?.showModal ? ref.current.close() : onClose());
  return (
    <dialog ref={ref} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
      <Button class="wide" onClick={end}>
        {close ?? texts.settings.cancel}
      </Button>
    </dialog>
  );
}

const paths = {
  bell: 'M12 3a1.2 1.2 0 0 1 1.2 1.2v.4a4.8 4.8 0 0 1 3.6 4.7v3.1l1.4 2a.7.7 0 0 1-.6 1.1H6.4a.7.7 0 0 1-.6-1.1l1.4-2V9.3a4.8 4.8 0 0 1 3.6-4.7v-.4A1.2 1.2 0 0 1 12 3Zm-1.8 13.8h3.6a1.8 1.8 0 0 1-3.6 0Z',
  gear: 'M10.3 3h3.4l.4 2.4 1.6.9 2.3-.8 1.7 2.9-1.9 1.6v1.9l1.9 1.6-1.7 2.9-2.3-.8-1.6.9-.4 2.5h-3.4l-.4-2.5-1.6-.9-2.3.8-1.7-2.9 1.9-1.6V10L4.3 8.4 6 5.5l2.3.8 1.6-.9L10.3 3ZM12 8.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6Z',
  back: 'M14.7 5.3a1 1 0 0 1 0 1.4L9.4 12l5.3 5.3a1 1 0 0 1-1.4 1.4l-6-6a1 1 0 0 1 0-1.4l6-6a1 1 0 0 1 1.4 0Z',
  check:
    'M19.4 6.6a1 1 0 0 1 0 1.4l-9 9.2a1 1 0 0 1-1.4 0l-4.4-4.4A1 1 0 1 1 6 11.4l3.7 3.7L18 6.6a1 1 0 0 1 1.4 0Z',
  cloud: 'M7 18a4 4 0 0 1-.5-8A5.5 5.5 0 0 1 17 9.1 4.5 4.5 0 0 1 16.5 18H7Z',
};

export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path fill="currentColor" fill-rule="evenodd" d={paths[name]} />
    </svg>
  );
}
