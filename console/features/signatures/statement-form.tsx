import type { ComponentChildren } from 'preact';
import { Form, TextField } from '../../components/form.tsx';
import { useUser } from '../../user.tsx';
import type { Statement } from '../items/item-changes.ts';
import { strings } from '../items/item-strings.ts';
import { SignAgain, useFreshSignIn } from './fresh-sign-in.tsx';

interface Props {
  submit: string;
  kind?: 'primary' | 'danger';
  /** The text from before the person signed in again. */
  statement?: Statement | undefined;
  isReasonNeeded?: boolean;
  hasReason?: boolean;
  /** Another text in place of the reason. */
  text?: { label: string; hint: string; pointer: string };
  isSigned: boolean;
  onSubmit: (statement: Statement) => Promise<unknown>;
  /** Keeps the text while the person signs in again. */
  keep: (statement: Statement) => void;
  beside: ComponentChildren;
  /** Below the fields. */
  children?: ComponentChildren;
}

/** Asks for a reason, and for a signature if the study wants one, which needs a fresh sign-in. */
export function StatementForm({
  statement = {},
  isReasonNeeded = false,
  hasReason = true,
  text = {
    label: strings.reason,
    hint: isReasonNeeded ? strings.reasonNeeded : strings.reasonHint,
    pointer: '/reason',
  },
  isSigned,
  onSubmit,
  keep,
  children,
  ...more
}: Props) {
  const { name } = useUser();
  const { isFresh, guard } = useFreshSignIn(isSigned);

  const submit = (form: FormData) => guard(() => onSubmit(statementOf(form)));
  return (
    <Form {...more} canSubmit={isFresh} onSubmit={submit}>
      {hasReason && (
        <TextField
          {...text}
          name="reason"
          maxLength={500}
          required={isReasonNeeded}
          defaultValue={statement.reason ?? ''}
        />
      )}
      {isSigned && (
        <TextField
          label={strings.meaning}
          name="meaning"
          pointer="/signature/meaning"
          hint={strings.meaningHint(name)}
          maxLength={500}
          required
          defaultValue={statement.signature?.meaning ?? ''}
        />
      )}
      {!isFresh && (
        <SignAgain
          why={strings.signatureNeeded}
          label={strings.signInToSign}
          onLeave={(form) => keep(statementOf(form))}
        />
      )}
      {children}
    </Form>
  );
}

function statementOf(form: FormData): Statement {
  const reason = String(form.get('reason') ?? '').trim();
  const meaning = String(form.get('meaning') ?? '').trim();
  return { ...(reason && { reason }), ...(meaning && { signature: { meaning } }) };
}
