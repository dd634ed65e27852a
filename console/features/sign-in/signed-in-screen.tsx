import { useEffect, useState } from 'preact/hooks';
import { Door } from '../../components/door.tsx';
import { Loading } from '../../components/states.tsx';
import { useSettings } from '../../service-config.ts';
import { signInWith } from '../../session.ts';
import { SignInButton } from './sign-in-button.tsx';
import { againPath, callbackPath } from './sign-in-paths.ts';
import { strings } from './sign-in-strings.ts';

/** The target of the provider's redirect: goes on to the address where the person was. */
export function SignedIn() {
  const settings = useSettings();
  const [failure, setFailure] = useState<string>();
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    import('./sign-in.ts')
      .then(({ finishSignIn }) => finishSignIn(settings))
      .then(({ token, place }) => {
        const isBeside = place === againPath;
        // Code and state do not stay in the history.
        history.replaceState(null, '', isBeside ? callbackPath : place);
        setDone(isBeside);
        signInWith(token);
        if (isBeside) window.close();
      })
      .catch((error: Error) => {
        history.replaceState(null, '', '/console');
        setFailure(error.message);
      });
  }, []);
  if (isDone)
    return (
      <Door title={strings.doneTitle}>
        <p>{strings.doneAbout}</p>
      </Door>
    );
  if (failure === undefined)
    return (
      <Door title={strings.signingIn}>
        <Loading />
      </Door>
    );
  return (
    <Door title={strings.failedTitle}>
      <p role="alert">{failure}</p>
      <SignInButton label={strings.tryAgain} />
    </Door>
  );
}
