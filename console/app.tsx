import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { LocationProvider, Route, Router } from 'preact-iso/router';
import { FailedDoor } from './components/failed-screen.tsx';
import { NotFound } from './components/not-found.tsx';
import { Opening } from './components/opening.tsx';
import { ToastProvider } from './components/toast.tsx';
import { Deleted } from './features/settings/just-deleted-screen.tsx';
import { Ended } from './features/sign-in/session-ended.tsx';
import { SignInAgain } from './features/sign-in/sign-in-again-screen.tsx';
import { againPath, callbackPath } from './features/sign-in/sign-in-paths.ts';
import { SignIn } from './features/sign-in/sign-in-screen.tsx';
import { SignedIn } from './features/sign-in/signed-in-screen.tsx';
import { DeletedStudies } from './features/studies/deleted-studies-screen.tsx';
import { StudyLayout } from './features/studies/study-layout.tsx';
import { Studies } from './features/studies/study-list-screen.tsx';
import { type Settings, SettingsContext } from './service-config.ts';
import { acceptLinkedToken, useSession } from './session.ts';
import { UserProvider } from './user.tsx';

/** The whole console, once the service has named the sign-in provider. */
export function App() {
  const [settings, setSettings] = useState<Settings>();
  const [error, setError] = useState<unknown>();
  const { session, ended, other } = useSession();
  const load = () => {
    setError(undefined);
    readSettings().then((read) => {
      acceptLinkedToken(read);
      setSettings(read);
    }, setError);
  };
  useEffect(load, []);

  if (error) return <FailedDoor error={error} onRetry={load} />;
  if (!settings) return <Opening />;
  return (
    <SettingsContext.Provider value={settings}>
      {location.pathname === callbackPath ? (
        <SignedIn />
      ) : location.pathname === againPath && settings.clientId !== null ? (
        <SignInAgain />
      ) : session ? (
        <SignedInApp>{ended && <Ended other={other} />}</SignedInApp>
      ) : (
        <SignIn />
      )}
    </SettingsContext.Provider>
  );
}

function SignedInApp({ children }: { children: ComponentChildren }) {
  return (
    <LocationProvider scope="/console">
      <ToastProvider>
        <UserProvider>
          <Router>
            <Route path="/console" component={Studies} />
            <Route path="/console/studies/:study" component={StudyLayout} />
            <Route path="/console/studies/:study/*" component={StudyLayout} />
            <Route path="/console/deleted" component={DeletedStudies} />
            <Route path="/console/deleted/:study" component={Deleted} />
            <Route default component={NotFound} />
          </Router>
        </UserProvider>
        {children}
      </ToastProvider>
    </LocationProvider>
  );
}

async function readSettings(): Promise<Settings> {
  const response = await fetch('/console/config');
  if (!response.ok) throw new TypeError('Failed to fetch');
  return (await response.json()) as Settings;
}
