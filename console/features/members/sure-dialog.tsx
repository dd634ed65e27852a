import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';

/** Asks before an action, and stays open if it fails. */
export const SureDialog = ({
  title,
  about,
  submit,
  onClose,
  onSure,
}: {
  title: string;
  about: string;
  submit: string;
  onClose: () => void;
  onSure: () => Promise<unknown>;
}) => (
  <Dialog title={title} onClose={onClose}>
    <Form
      submit={submit}
      kind="danger"
      onSubmit={onSure}
      beside={<Button onClick={onClose}>{common.cancel}</Button>}
    >
      <p>{about}</p>
    </Form>
  </Dialog>
);
