import { render } from 'preact';
import { App } from './app.tsx';
import { watchPlaces } from './places.ts';
import { takeTokenFromLink } from './session.ts';

// Before anything is sent anywhere.
takeTokenFromLink();
watchPlaces();
// An address that no link of ours has, and that the router cannot read.
if (!isReadable(location.pathname)) history.replaceState(null, '', '/console/unreadable');

const root = document.getElementById('app');
if (root) render(<App />, root);

function isReadable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
