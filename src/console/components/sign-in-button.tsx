import { useState } from 'preact/hooks';
import { useSettings } from '../settings.ts';
import { strings } from '../strings/sign-in.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';

/** How to get another link, in local mode. */
export const LinkCommand = () => (
  <p class="command">
    <code>{strings.localCommand}</code>
    <CopyButton text={strings.localCommand} />
  </p>
);

/** Leaves for the provider, and comes back to this page. */
export function SignInButton({
  label,
  isFresh = false,
  onLeave,
}: {
  label: string;
  /** The person has to show who they are again. */
  isFresh?: boolean;
  /** To keep what is not saved. */
  onLeave?: () => void;
}) {
  const settings = useSettings();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  async function go() {
    setBusy(true);
    setFailure(undefined);
    try {
      const { beginSignIn } = await import('../sign-in.ts');
      onLeave?.();
      await beginSignIn(settings, location.pathname + location.search, isFresh);
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
