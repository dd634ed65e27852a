import { useEffect, useState } from 'preact/hooks';
import { Door } from '../components/door.tsx';
import { Loading } from '../components/states.tsx';
import { signInWith } from '../session.ts';
import type { Settings } from '../settings.ts';
import { strings } from '../strings/sign-in.ts';
import { SignInButton } from './sign-in.tsx';

/** Where the provider sends people back to: goes on to where they were. */
export function SignedIn({ settings }: { settings: Settings }) {
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    import('../sign-in.ts')
      .then(({ finishSignIn }) => finishSignIn(settings))
      .then(({ token, place }) => {
        // The code and the state do not stay in the history.
        history.replaceState(null, '', place);
        signInWith(token);
      })
      .catch((error: Error) => {
        history.replaceState(null, '', '/console');
        setFailure(error.message);
      });
  }, []);
  if (failure === undefined)
    return (
      <Door title={strings.signingIn}>
        <Loading />
      </Door>
    );
  return (
    <Door title={strings.failedTitle}>
      <p role="alert">{failure}</p>
      <SignInButton settings={settings} label={strings.tryAgain} />
    </Door>
  );
}
