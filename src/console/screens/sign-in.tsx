import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Door } from '../components/door.tsx';
import type { Settings } from '../settings.ts';
import { strings } from '../strings/sign-in.ts';

/** The door: leads to the provider, or says why nobody can pass. */
export function SignIn({ settings }: { settings: Settings }) {
  if (settings.clientId !== null)
    return (
      <Door title={strings.title}>
        <p class="muted">{strings.about}</p>
        <SignInButton settings={settings} label={strings.signIn} />
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

export const LinkCommand = () => (
  <p class="command">
    <code>{strings.localCommand}</code>
    <CopyButton text={strings.localCommand} />
  </p>
);

/** Leaves for the provider, and comes back to this page. */
export function SignInButton({ settings, label }: { settings: Settings; label: string }) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  async function go() {
    setBusy(true);
    setFailure(undefined);
    try {
      const { beginSignIn } = await import('../sign-in.ts');
      await beginSignIn(settings, location.pathname + location.search);
    } catch (error) {
      setFailure((error as Error).message);
      setBusy(false);
    }
  }
  return (
    <>
      {failure && (
        <p class="note danger" role="alert">
          {failure}
        </p>
      )}
      <Button kind="primary" busy={busy} onClick={() => void go()}>
        {label}
      </Button>
    </>
  );
}
