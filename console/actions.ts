import { useEffect, useRef } from 'preact/hooks';

/* Actions that a person asks for from anywhere, as in the palette, and that a screen takes once it is there. */

export type Action = 'new-case' | 'lock' | 'freeze' | 'new-survey' | 'invite' | 'new-study';

/** A screen that comes later opens nothing unasked. */
const patienceMs = 10_000;

let request: { action: Action; at: number } | undefined;
const requests = new EventTarget();

export function ask(action: Action): void {
  request = { action, at: Date.now() };
  requests.dispatchEvent(new Event('ask'));
}

/** Calls back when the action is asked for, or at once if a person has asked for it on the way to the screen. */
export function useAction(action: Action, act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const take = () => {
      if (request?.action !== action) return;
      const { at } = request;
      request = undefined;
      if (Date.now() - at < patienceMs) latest.current();
    };
    take();
    requests.addEventListener('ask', take);
    return () => requests.removeEventListener('ask', take);
  }, [action]);
}
