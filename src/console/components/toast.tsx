import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo, useRef, useState } from 'preact/hooks';
import { strings } from '../common-strings.ts';
import { messageOf } from '../problem.ts';
import { Button } from './button.tsx';

/** Shows how far work has come that takes its time. */
export type Report = (progress: { label: string; done: number; total: number }) => void;

interface Toast {
  text: string;
  /** Takes the change back. */
  undo?: (report: Report) => Promise<unknown>;
  /** Asks once more for what failed. */
  retry?: () => void;
  /** A change that was shown early is taken back: the message stays until somebody closes it. */
  isFailure?: boolean;
}

interface Shown extends Toast {
  id: number;
  /** It goes on, whatever becomes of this. */
  progress?: { done: number; total: number };
}

const Toasts = createContext<(toast: Toast) => void>(() => {});

/** Says that something was done, with a way back where there is one. */
export const useToast = () => useContext(Toasts);

/** What can be taken back stays for longer. */
const shownMs = { plain: 10_000, undo: 30_000 };

export function ToastProvider({ children }: { children: ComponentChildren }) {
  const [toasts, setToasts] = useState<Shown[]>([]);
  const nextId = useRef(0);
  const timers = useRef(new Map<number, ReturnType<typeof setTimeout>>());

  const { add, hold, release, remove } = useMemo(() => {
    const remove = (id: number) => setToasts((all) => all.filter((toast) => toast.id !== id));
    const hold = (id: number) => clearTimeout(timers.current.get(id));
    const release = ({ id, isFailure, undo }: Shown) => {
      hold(id);
      if (isFailure) return;
      timers.current.set(
        id,
        setTimeout(() => remove(id), undo ? shownMs.undo : shownMs.plain),
      );
    };
    const add = (toast: Toast) => {
      const shown = { ...toast, id: nextId.current++ };
      setToasts((all) => [...all.slice(-2), shown]);
      release(shown);
    };
    return { add, hold, release, remove };
  }, []);

  const undo = ({ id, undo }: Shown) => {
    remove(id);
    const progressId = nextId.current++;
    const report: Report = ({ label, ...progress }) =>
      setToasts((all) => [
        ...all.filter((toast) => toast.id !== progressId).slice(-2),
        { id: progressId, text: label, progress },
      ]);
    undo?.(report)
      .catch((error: unknown) => add({ text: messageOf(error), isFailure: true }))
      .finally(() => remove(progressId));
  };

  return (
    <Toasts.Provider value={add}>
      {children}
      <div class="toasts" role="status" aria-live="polite">
        {toasts.map((toast) => (
          // A reader, or a person about to press the button, gets the time.
          <div
            key={toast.id}
            class={`toast ${toast.isFailure ? 'danger' : 'plain'}`}
            onPointerEnter={() => hold(toast.id)}
            onPointerLeave={() => release(toast)}
            onFocusIn={() => hold(toast.id)}
            onFocusOut={() => release(toast)}
          >
            <span>{toast.text}</span>
            {toast.progress && (
              <progress aria-label={toast.text} value={toast.progress.done} max={toast.progress.total} />
            )}
            {toast.retry && (
              <Button
                kind="quiet"
                onClick={() => {
                  remove(toast.id);
                  toast.retry?.();
                }}
              >
                {strings.tryAgain}
              </Button>
            )}
            {toast.undo && (
              <Button kind="quiet" onClick={() => undo(toast)}>
                {strings.undo}
              </Button>
            )}
            {!toast.progress && (
              <Button kind="quiet" icon="close" hideLabel onClick={() => remove(toast.id)}>
                {strings.close}
              </Button>
            )}
          </div>
        ))}
      </div>
    </Toasts.Provider>
  );
}
