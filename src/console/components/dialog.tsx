import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { strings } from '../common-strings.ts';
import { Button } from './button.tsx';

const control = ':is(input, select, textarea, button, a[href])';

interface Props {
  title: string;
  /** Escape, the cross, or a click beside the dialog. */
  onClose: () => void;
  /** The person has to answer: only the dialog's own buttons close it. */
  insists?: boolean;
  children: ComponentChildren;
}

/** A modal dialog: the browser keeps the focus inside, and gives it back when it closes. */
export function Dialog({ title, onClose, insists = false, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    const opener = document.activeElement;
    dialog?.showModal();
    // The first field, rather than the cross.
    dialog?.querySelector<HTMLElement>(`.dialog-head ~ * ${control}, .dialog-head ~ ${control}`)?.focus();
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement) opener.focus();
      // The change may have removed the button that opened the dialog.
      setTimeout(() => {
        if (document.activeElement === document.body)
          document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
      });
    };
  }, []);
  const askToClose = () => {
    if (!insists) onClose();
  };
  return (
    <dialog
      ref={ref}
      class="dialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        askToClose();
      }}
      onPointerDown={(event) => {
        if (event.target === ref.current) askToClose();
      }}
    >
      <div class="dialog-body">
        <div class="dialog-head">
          <h2 id={titleId}>{title}</h2>
          {!insists && (
            <Button kind="quiet" icon="close" hideLabel onClick={onClose}>
              {strings.close}
            </Button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}
