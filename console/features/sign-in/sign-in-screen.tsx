import { Door } from '../../components/door.tsx';
import { useSettings } from '../../service-config.ts';
import { LinkCommand, SignInButton } from './sign-in-button.tsx';
import { strings } from './sign-in-strings.ts';

/** Leads to the provider, or explains why nobody can sign in. */
export function SignIn() {
  const settings = useSettings();
  if (settings.clientId !== null)
    return (
      <Door title={strings.title}>
        <p class="muted">{strings.about}</p>
        <SignInButton label={strings.signIn} />
        <ApiLink />
      </Door>
    );
  return settings.local ? (
    <Door title={strings.title}>
      <p>{strings.localAbout}</p>
      <LinkCommand />
      <ApiLink />
    </Door>
  ) : (
    <Door title={strings.notConfigured}>
      <p>{strings.notConfiguredAbout}</p>
      <ApiLink />
    </Door>
  );
}

/** For developers who look for the API and found the console. */
const ApiLink = () => (
  <p class="muted">
    <a href="/docs/">{strings.apiDocs}</a>
  </p>
);
