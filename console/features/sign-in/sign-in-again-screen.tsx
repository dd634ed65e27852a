import { useEffect, useState } from 'preact/hooks';
import { Door } from '../../components/door.tsx';
import { Loading } from '../../components/states.tsx';
import { useSettings } from '../../service-config.ts';
import { SignInButton } from './sign-in-button.tsx';
import { againPath } from './sign-in-paths.ts';
import { strings } from './sign-in-strings.ts';

/** The window beside a page whose sign-in has ended: goes to the provider at once. */
export function SignInAgain() {
  const settings = useSettings();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    import('./sign-in.ts')
      .then(({ beginSignIn }) => beginSignIn(settings, againPath))
      .catch((error: Error) => setFailure(error.message));
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
      <SignInButton label={strings.tryAgain} />
    </Door>
  );
}
