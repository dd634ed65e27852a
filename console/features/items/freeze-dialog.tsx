import { useRef, useState } from 'preact/hooks';
import { mutate } from '../../answers.ts';
import { api } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { OneOf } from '../../components/form.tsx';
import { RuleFields } from '../../components/property-fields.tsx';
import { useToast } from '../../components/toast.tsx';
import { type PropertyRule, ruleIn, ruleText } from '../../groups.ts';
import { Refusal } from '../../problem.ts';
import { useStudy } from '../../study-context.ts';
import { keepDraft } from '../signatures/signing-drafts.ts';
import { StatementForm } from '../signatures/statement-form.tsx';
import type { Statement } from './item-changes.ts';
import { strings } from './item-strings.ts';
import { policyOfGroup } from './lock-policy.ts';

export const freezeDraft = 'freeze';

/** A freeze that somebody was about to sign. */
export interface PendingFreeze {
  statement?: Statement | undefined;
  /** The chosen group; absent: the whole study. */
  group?: PropertyRule | undefined;
}

/** Freezes the study or a group, or ends a freeze; for owners. */
export function FreezeDialog({
  pending = {},
  ended,
  onClose,
}: {
  pending?: PendingFreeze | undefined;
  /** The frozen group whose freeze ends. */
  ended?: PropertyRule | undefined;
  onClose: () => void;
}) {
  const { study, properties } = useStudy();
  const toast = useToast();
  const { freeze } = strings;
  const ends = ended !== undefined || study.frozenAt !== undefined;
  const [isOfGroup, setOfGroup] = useState(pending.group !== undefined);
  const fields = useRef<HTMLFormElement>(null);
  const groupNow = () =>
    isOfGroup && fields.current ? (ruleIn(new FormData(fields.current), properties) ?? undefined) : undefined;

  async function submit({ reason = '', ...signed }: Statement) {
    const group = ended ?? groupNow();
    if (isOfGroup && !group) throw new Refusal(freeze.noGroup);
    const json = {
      status: ends ? 'active' : 'frozen',
      reason,
      ...signed,
      ...(group && { properties: group }),
    } as const;
    await api.investigation[':id'].freeze.$post({ param: { id: study.identifier }, json });
    onClose();
    mutate(['study', study.identifier]);
    if (group) toast({ text: (ends ? freeze.groupEnded : freeze.groupDone)(ruleText(group)) });
    else toast({ text: ends ? freeze.ended : freeze.done });
  }

  const texts = ended
    ? { title: freeze.ofGroupTitle(ruleText(ended)), about: freeze.ofGroupAbout }
    : ends
      ? { title: freeze.endTitle, about: freeze.endAbout }
      : { title: freeze.title, about: freeze.about };
  return (
    <Dialog title={texts.title} onClose={onClose}>
      {!isOfGroup && <p>{texts.about}</p>}
      {!ends && properties.length > 0 && (
        <form class="form" ref={fields} onSubmit={(event) => event.preventDefault()}>
          <OneOf
            label={freeze.what}
            name="what"
            of={[
              ['whole', freeze.whole],
              ['group', freeze.group],
            ]}
            chosen={isOfGroup ? 'group' : 'whole'}
            onChoose={(value) => setOfGroup(value === 'group')}
          />
          {isOfGroup && (
            <RuleFields
              label={freeze.properties}
              hint={freeze.propertiesHint}
              properties={properties}
              rule={pending.group}
              pointer="/properties"
            />
          )}
        </form>
      )}
      <StatementForm
        submit={ends ? freeze.endButton : isOfGroup ? freeze.groupSubmit : freeze.button}
        statement={pending.statement}
        isReasonNeeded
        isSigned={
          isOfGroup || ended ? policyOfGroup(study.lockPolicy, ended).signature : study.lockPolicy.signature
        }
        onSubmit={submit}
        keep={(typed) => keepDraft<PendingFreeze>(freezeDraft, { statement: typed, group: groupNow() })}
        beside={<Button onClick={onClose}>{common.cancel}</Button>}
      />
    </Dialog>
  );
}
