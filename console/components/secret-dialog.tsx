import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

interface Props {
  title: string;
  /** The purpose of the secret, and that it is shown only once. */
  about: string;
  label: string;
  secret: string;
  /** The button of somebody who has copied it. */
  done: string;
  onClose: () => void;
}

/** Shows a secret, which no later answer has. */
export const SecretDialog = ({ title, about, label, secret, done, onClose }: Props) => (
  <Dialog title={title} onClose={onClose} insists>
    <div class="form">
      <p>{about}</p>
      <label>
        <span>{label}</span>
        <input
          type="text"
          class="code"
          readOnly
          value={secret}
          onFocus={(event) => event.currentTarget.select()}
        />
      </label>
      <div class="form-buttons">
        <CopyButton text={secret} />
        <Button kind="primary" onClick={onClose}>
          {done}
        </Button>
      </div>
    </div>
  </Dialog>
);
