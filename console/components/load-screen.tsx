import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadPart } from '../load-part.ts';
import { FailedScreen } from './failed-screen.tsx';
import { Loading } from './states.tsx';

export interface LoadedScreen extends FunctionComponent {
  /** Fetches the screen's file, so that the screen opens at once, and without a network. */
  preload: () => void;
}

/** A screen whose file is fetched when it is first opened. */
export function loadScreen(load: () => Promise<FunctionComponent>): LoadedScreen {
  let Loaded: FunctionComponent | undefined;
  const fetchOnce = async () => {
    Loaded ??= await loadPart(load);
  };
  function Screen() {
    const [attempt, setAttempt] = useState(0);
    const [error, setError] = useState<unknown>();
    const [isShown, show] = useState(Loaded !== undefined);
    useEffect(() => {
      setError(undefined);
      fetchOnce().then(() => show(true), setError);
    }, [attempt]);
    if (Loaded && isShown) return <Loaded />;
    return error ? <FailedScreen error={error} onRetry={() => setAttempt(attempt + 1)} /> : <Loading />;
  }
  return Object.assign(Screen, { preload: () => void fetchOnce().catch(() => {}) });
}
