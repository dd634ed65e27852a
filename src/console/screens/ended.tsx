import { Dialog } from '../components/dialog.tsx';
import type { Settings } from '../settings.ts';
import { strings } from '../strings/sign-in.ts';
import { LinkCommand, SignInButton } from './sign-in.tsx';

/** The token was valid, and is no longer. The screen behind stays as it is. */
export const Ended = ({ settings }: { settings: Settings }) => (
  <Dialog title={strings.ended} insists onClose={() => {}}>
    {settings.clientId === null ? (
      <>
        <p>{strings.endedLocal}</p>
        <LinkCommand />
      </>
    ) : (
      <>
        <p>{strings.endedAbout}</p>
        <div class="form-buttons">
          <SignInButton settings={settings} label={strings.again} />
        </div>
      </>
    )}
  </Dialog>
);
