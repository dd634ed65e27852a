import { render } from 'preact';
import { App } from './app.tsx';
import { watchPlaces } from './places.ts';
import { takeTokenFromLink } from './session.ts';

// Before any request.
takeTokenFromLink();
watchPlaces();
// An address that the console never links to, and that the router cannot read.
if (!isReadable(location.pathname)) history.replaceState(null, '', '/console/unreadable');

const root = document.getElementById('app');
// In place of the text from before the script.
root?.replaceChildren();
if (root) render(<App />, root);

function isReadable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
