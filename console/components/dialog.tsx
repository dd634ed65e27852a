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
  /**
   * Not modal: the dialog also closes once the focus leaves it. It opens at once above any page, whereas the browser looks at
   * each element of the page to keep the focus out of it.
   */
  isLight?: boolean;
  children: ComponentChildren;
}

/** A modal dialog, inside which the browser keeps the focus until it closes. The opener has it again then. */
export function Dialog({ title, onClose, insists = false, isLight = false, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    const opener = document.activeElement;
    // The first field takes the focus, rather than the cross. The browser moves it once, as it opens the dialog.
    dialog
      ?.querySelector(`.dialog-head ~ * ${control}, .dialog-head ~ ${control}`)
      ?.setAttribute('autofocus', '');
    if (isLight) dialog?.showPopover();
    else dialog?.showModal();
    return () => {
      dialog?.close();
      // A light dialog may have lost the focus to the page.
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
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
      popover={isLight ? 'auto' : undefined}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        askToClose();
      }}
      onToggle={({ newState }) => {
        if (isLight && newState === 'closed') onClose();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (isLight && relatedTarget instanceof Node && !ref.current?.contains(relatedTarget)) onClose();
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
