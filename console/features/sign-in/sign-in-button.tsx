import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { useSettings } from '../../service-config.ts';
import { againPath } from './sign-in-paths.ts';
import { strings } from './sign-in-strings.ts';

/** The command for another link, in local mode. */
export const LinkCommand = () => (
  <p class="command">
    <code>{strings.localCommand}</code>
    <CopyButton text={strings.localCommand} />
  </p>
);

/** Goes to the provider, and returns to this page. */
export function SignInButton({
  label,
  isFresh = false,
  isBeside = false,
  onLeave,
}: {
  label: string;
  /** The person has to authenticate again. */
  isFresh?: boolean;
  /** In a window of its own, if the browser allows that: this page stays as it is. */
  isBeside?: boolean;
  /** Keeps unsaved text. */
  onLeave?: () => void;
}) {
  const settings = useSettings();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  async function go() {
    if (isBeside && window.open(againPath, '_blank', 'popup,width=560,height=760')) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const { beginSignIn } = await import('./sign-in.ts');
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
