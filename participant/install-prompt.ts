import { useEffect, useState } from 'preact/hooks';

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

let offered: InstallPrompt | undefined;
const watchers = new Set<() => void>();

/** Browsers that can put the page on the home screen say so once, soon after it opens. */
export function watchInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    offered = event as InstallPrompt;
    for (const watcher of watchers) watcher();
  });
}

/** Puts the page on the home screen; undefined where the browser does not offer it, or the page is there already. */
export function useInstall(): (() => void) | undefined {
  const [, show] = useState(0);
  useEffect(() => {
    const look = () => show((n) => n + 1);
    watchers.add(look);
    return () => void watchers.delete(look);
  }, []);
  const prompt = offered;
  if (!prompt) return undefined;
  return () => {
    offered = undefined;
    show((n) => n + 1);
    void prompt.prompt().catch(() => undefined);
  };
}
