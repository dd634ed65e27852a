import type { ComponentProps } from 'preact';
import { strings } from '../common-strings.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';

type Props = Omit<ComponentProps<typeof Form>, 'beside'> &
  Pick<ComponentProps<typeof Dialog>, 'title' | 'onClose' | 'insists'> & {
    /** The button that closes it. */
    cancel?: string;
  };

/** A form in a dialog, with a button that closes it. It stays open if the form fails. */
export const FormDialog = ({
  title,
  onClose,
  insists = false,
  cancel = strings.cancel,
  children,
  ...form
}: Props) => (
  <Dialog title={title} onClose={onClose} insists={insists}>
    <Form {...form} beside={<Button onClick={onClose}>{cancel}</Button>}>
      {children}
    </Form>
  </Dialog>
);
