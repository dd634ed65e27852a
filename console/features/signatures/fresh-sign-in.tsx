import { useRef, useState } from 'preact/hooks';
import { isProblem } from '../../api.ts';
import { useSettings } from '../../service-config.ts';
import { signedInAt } from '../../session.ts';
import { strings } from '../items/item-strings.ts';
import { LinkCommand, SignInButton } from '../sign-in/sign-in-button.tsx';

/** The service accepts it for five minutes after the sign-in; the margin leaves time to press the button. */
const freshMs = 280_000;

const isSignInFresh = () => Date.now() - signedInAt() < freshMs;

/** Whether the sign-in is fresh enough, as far as the page or the service has noticed. */
export function useFreshSignIn(isNeeded: boolean) {
  const [isFresh, setFresh] = useState(!isNeeded || isSignInFresh());
  /** Makes the request; a refusal for want of a fresh sign-in becomes the note. */
  async function guard(request: () => Promise<unknown>) {
    try {
      await request();
    } catch (error) {
      if (!isProblem(error, 'auth.sign-in-stale')) throw error;
      setFresh(false);
    }
  }
  return { isFresh, guard };
}

interface Props {
  /** The sentence that says what needs it. */
  why: string;
  label: string;
  /** Keeps what was typed into the form around it. */
  onLeave: (form: FormData) => void;
}

/** Asks in a form for a fresh sign-in, which leads back to this page. */
export function SignAgain({ why, label, onLeave }: Props) {
  const { clientId } = useSettings();
  const note = useRef<HTMLDivElement>(null);
  function leave() {
    const form = note.current?.closest('form');
    if (form) onLeave(new FormData(form));
  }
  return (
    <div ref={note} class="note warn" role="status">
      <div>
        <p>{why}</p>
        {clientId === null && (
          <>
            <p>{strings.signLocal}</p>
            <LinkCommand />
          </>
        )}
      </div>
      {clientId !== null && <SignInButton label={label} isFresh onLeave={leave} />}
    </div>
  );
}
