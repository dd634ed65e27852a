import { Dialog } from '../../components/dialog.tsx';
import { useSettings } from '../../service-config.ts';
import { LinkCommand, SignInButton } from './sign-in-button.tsx';
import { strings } from './sign-in-strings.ts';

/** Shown when a valid token has expired. The screen behind stays as it is. */
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
