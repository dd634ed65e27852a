import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo, useRef, useState } from 'preact/hooks';
import { strings } from '../common-strings.ts';
import { messageOf } from '../problem.ts';
import { Button } from './button.tsx';

/** Shows the progress of long work. */
export type Report = (progress: { label: string; done: number; total: number }) => void;

interface Toast {
  text: string;
  /** Takes the change back. */
  undo?: (report: Report) => Promise<unknown>;
  /** Repeats the failed request. */
  retry?: () => void;
  /** The message about an early change that was taken back stays until the person closes it. */
  isFailure?: boolean;
}

interface Shown extends Toast {
  id: number;
  /** The work continues, whatever happens to the toast. */
  progress?: { done: number; total: number };
}

const Toasts = createContext<(toast: Toast) => void>(() => {});

/** Reports a finished change, with a way back if there is one. */
export const useToast = () => useContext(Toasts);

/** Changes that can be undone are shown for longer. */
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
          // The toast stays while a person reads it or is about to press its button.
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
