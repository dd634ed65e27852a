import { Door } from '../../components/door.tsx';
import { useSettings } from '../../service-config.ts';
import { LinkCommand, SignInButton } from './sign-in-button.tsx';
import { strings } from './sign-in-strings.ts';

/** The door: leads to the provider, or says why nobody can pass. */
export function SignIn() {
  const settings = useSettings();
  if (settings.clientId !== null)
    return (
      <Door title={strings.title}>
        <p class="muted">{strings.about}</p>
        <SignInButton label={strings.signIn} />
      </Door>
    );
  return settings.local ? (
    <Door title={strings.title}>
      <p>{strings.localAbout}</p>
      <LinkCommand />
    </Door>
  ) : (
    <Door title={strings.notConfigured}>
      <p>{strings.notConfiguredAbout}</p>
    </Door>
  );
}
