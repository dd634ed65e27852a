import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useMemo, useRef, useState } from 'preact/hooks';
import { messageOf } from '../problem.ts';
import { strings } from '../strings/common.ts';
import { Button } from './button.tsx';

interface Toast {
  text: string;
  /** Takes back what was done. */
  undo?: () => Promise<unknown>;
}

interface Shown extends Toast {
  id: number;
  tone: 'plain' | 'danger';
}

const Toasts = createContext<(toast: Toast) => void>(() => {});

/** Says that something was done, with a way back where there is one. */
export const useToast = () => useContext(Toasts);

const shownMs = 10_000;

export function ToastProvider({ children }: { children: ComponentChildren }) {
  const [toasts, setToasts] = useState<Shown[]>([]);
  const nextId = useRef(0);
  const timers = useRef(new Map<number, ReturnType<typeof setTimeout>>());

  const { add, hold, release, remove } = useMemo(() => {
    const remove = (id: number) => setToasts((all) => all.filter((toast) => toast.id !== id));
    const hold = (id: number) => clearTimeout(timers.current.get(id));
    const release = (id: number) => {
      hold(id);
      timers.current.set(
        id,
        setTimeout(() => remove(id), shownMs),
      );
    };
    const add = (toast: Toast, tone: Shown['tone'] = 'plain') => {
      const id = nextId.current++;
      setToasts((all) => [...all.slice(-2), { ...toast, id, tone }]);
      release(id);
    };
    return { add, hold, release, remove };
  }, []);

  const undo = ({ id, undo }: Shown) => {
    remove(id);
    undo?.().catch((error: unknown) => add({ text: messageOf(error) }, 'danger'));
  };

  return (
    <Toasts.Provider value={useCallback((toast: Toast) => add(toast), [add])}>
      {children}
      <div class="toasts" role="status" aria-live="polite">
        {toasts.map((toast) => (
          // Whoever reads or is about to press the button has the time for it.
          <div
            key={toast.id}
            class={`toast ${toast.tone}`}
            onPointerEnter={() => hold(toast.id)}
            onPointerLeave={() => release(toast.id)}
            onFocusIn={() => hold(toast.id)}
            onFocusOut={() => release(toast.id)}
          >
            <span>{toast.text}</span>
            {toast.undo && (
              <Button kind="quiet" onClick={() => undo(toast)}>
                {strings.undo}
              </Button>
            )}
            <Button kind="quiet" icon="close" hideLabel onClick={() => remove(toast.id)}>
              {strings.close}
            </Button>
          </div>
        ))}
      </div>
    </Toasts.Provider>
  );
}
