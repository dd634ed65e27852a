import { Dialog } from '../components/dialog.tsx';
import { LinkCommand, SignInButton } from '../components/sign-in-button.tsx';
import { useSettings } from '../settings.ts';
import { strings } from '../strings/sign-in.ts';

/** The token was valid, and is no longer. The screen behind stays as it is. */
export const Ended = ({ other }: { other: boolean }) => (
  <Dialog title={strings.ended} insists onClose={() => {}}>
    {other && (
      <p class="note warn" role="alert">
        {strings.otherPerson}
      </p>
    )}
    {useSettings().clientId === null ? (
      <>
        <p>{strings.endedLocal}</p>
        <LinkCommand />
      </>
    ) : (
      <>
        <p>{strings.endedAbout}</p>
        <div class="form-buttons">
          <SignInButton label={strings.again} isBeside />
        </div>
      </>
    )}
  </Dialog>
);
