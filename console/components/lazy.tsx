import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Unread } from './states.tsx';

/** A part that is loaded once it is shown: the first view of the console does without it. */
export function lazy<P extends object>(load: () => Promise<FunctionComponent<P>>): FunctionComponent<P> {
  let Loaded: FunctionComponent<P> | undefined;
  return function Lazy(props: P) {
    const [, setReady] = useState(Loaded !== undefined);
    const [error, setError] = useState<unknown>();
    useEffect(() => {
      if (Loaded) return;
      load().then((part) => {
        Loaded = part;
        setReady(true);
      }, setError);
    }, []);
    // A browser does not ask again for a module that it could not load.
    return Loaded ? <Loaded {...props} /> : <Unread error={error} reload={() => location.reload()} />;
  };
}
