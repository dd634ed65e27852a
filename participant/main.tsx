import { render } from 'preact';
import { App } from './app.tsx';
import { watchInstallPrompt } from './install-prompt.ts';
import { isEnough } from './needed.ts';
import { startWorker } from './page-worker.ts';
import { takeCode } from './places.ts';
import { showFallback, watchTrouble } from './trouble.ts';

function start() {
  // Before anything else: the code of a link leaves the address.
  const code = takeCode();
  watchInstallPrompt();
  void startWorker();
  const root = document.getElementById('app');
  if (root) render(<App code={code} />, root);
}

watchTrouble();
if (isEnough()) start();
else showFallback();
