import { newSharedValue } from './shared-value.ts';

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

const offered = newSharedValue<InstallPrompt | undefined>(undefined);

/** Browsers that can put the page on the home screen say so once, soon after it opens. */
export const watchInstallPrompt = (): void =>
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    offered.set(event as InstallPrompt);
  });

/** Puts the page on the home screen; undefined where the browser does not offer it, or the page is there already. */
export function useInstall(): (() => void) | undefined {
  const prompt = offered.use();
  return (
    prompt &&
    (() => {
      offered.set(undefined);
      void prompt.prompt().catch(() => undefined);
    })
  );
}
