import { api } from '../../api.ts';
import { DateField, TextField } from '../../components/form.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { addDays, todayIn, viewerZone } from '../../format.ts';
import { type PropertyRule, ruleIn } from '../../groups.ts';
import { useStudy } from '../../study-context.ts';
import { ScopeFields } from '../members/scope-dialog.tsx';
import { SignAgain, useFreshSignIn } from '../signatures/fresh-sign-in.tsx';
import { keepDraft } from '../signatures/signing-drafts.ts';
import { strings } from './program-strings.ts';

/** A token that somebody was about to make before signing in again. */
export interface ProgramDraft {
  label?: string;
  lastDay?: string;
  scope?: PropertyRule;
}
export const programDraft = 'program';

const maxDays = 400;
const usualDays = 365;

interface Props {
  draft: ProgramDraft;
  onClose: () => void;
  onMade: (program: { label: string; token: string }) => void;
}

/** Makes a token, which needs a fresh sign-in. */
export function MakeDialog({ draft, onClose, onMade }: Props) {
  const { id, properties } = useStudy();
  const { isFresh, guard } = useFreshSignIn(true);
  const today = todayIn(viewerZone);

  // Without an identifier: the answer to a repeated request would have no token.
  const make = (form: FormData) =>
    guard(async () => {
      const { label = '', lastDay = '' } = draftOf(form);
      const scope = ruleIn(form, properties);
      const expiresAt = new Date(`${addDays(lastDay, 1)}T00:00`).toISOString();
      const answer = await api.investigation[':id'].token.$post({
        param: { id },
        json: { label, expiresAt, ...(scope && { scope }) },
      });
      onMade(await answer.json());
    });
  return (
    <FormDialog
      title={strings.make}
      submit={strings.make}
      canSubmit={isFresh}
      onClose={onClose}
      onSubmit={make}
    >
      <TextField
        label={strings.label}
        name="label"
        pointer="/label"
        hint={strings.labelHint}
        maxLength={100}
        defaultValue={draft.label ?? ''}
        dir="auto"
        required
      />
      <DateField
        label={strings.lastDay}
        name="lastDay"
        pointer="/expiresAt"
        hint={strings.lastDayHint}
        min={today}
        max={addDays(today, maxDays - 1)}
        defaultValue={draft.lastDay ?? addDays(today, usualDays)}
        required
      />
      <ScopeFields scope={draft.scope} />
      {!isFresh && (
        <SignAgain
          why={strings.signInNeeded}
          label={strings.signIn}
          onLeave={(form) => {
            const scope = ruleIn(form, properties);
            keepDraft<ProgramDraft>(programDraft, { ...draftOf(form), ...(scope && { scope }) });
          }}
        />
      )}
    </FormDialog>
  );
}

const draftOf = (form: FormData): ProgramDraft => ({
  label: String(form.get('label')).trim(),
  lastDay: String(form.get('lastDay')),
});
