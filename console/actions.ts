import { useEffect, useRef } from 'preact/hooks';

/* Actions that a person asks for from anywhere, as in the palette, and that a screen takes once it is there. */

export type Action = 'new-case' | 'lock' | 'freeze' | 'new-survey' | 'invite' | 'new-study';

/** A screen that comes later opens nothing unasked. */
const patienceMs = 10_000;

let asked: { action: Action; at: number } | undefined;
const askings = new EventTarget();

export function ask(action: Action): void {
  asked = { action, at: Date.now() };
  askings.dispatchEvent(new Event('ask'));
}

/** Calls back when the action is asked for, or at once if a person has asked for it on the way to the screen. */
export function useAction(action: Action, act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const take = () => {
      if (asked?.action !== action) return;
      const { at } = asked;
      asked = undefined;
      if (Date.now() - at < patienceMs) latest.current();
    };
    take();
    askings.addEventListener('ask', take);
    return () => askings.removeEventListener('ask', take);
  }, [action]);
}
