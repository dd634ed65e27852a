import { render } from 'preact';
import { App } from './app.tsx';
import { watchInstallPrompt } from './install-prompt.ts';
import { startWorker } from './page-worker.ts';
import { takeCode } from './places.ts';

// Before anything else: the code of a link leaves the address.
const code = takeCode();
watchInstallPrompt();
void startWorker();

const root = document.getElementById('app');
if (root) render(<App code={code} />, root);
