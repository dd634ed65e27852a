import { isProblem } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useToast } from '../../components/toast.tsx';
import type { Grouped } from '../../groups.ts';
import { isPassing, messageOf, Refusal } from '../../problem.ts';
import { useStudy } from '../../study-context.ts';
import { keepDraft } from '../signatures/signing-drafts.ts';
import { StatementForm } from '../signatures/statement-form.tsx';
import { isExpectable } from './expected-states.ts';
import { type Change, changeItems, changes, mayUnlock, type Statement } from './item-changes.ts';
import type { Kind } from './item-kinds.ts';
import { strings } from './item-strings.ts';
import { policyOf } from './lock-policy.ts';

export interface PendingChange {
  change: Change;
  kind: Kind;
  ids: readonly string[];
  statement?: Statement;
}

export const changeDraft = 'change';

/** Shows the changed items while the request runs. @throws what the request throws */
export type MutateItems = (
  to: Pick<PendingChange, 'change' | 'ids'>,
  request: () => Promise<void>,
) => Promise<void>;

interface Props extends PendingChange {
  /** Names of items, if the service tells them. */
  nameOf: (id: string) => string | undefined;
  /** The items that are known, whose groups may have rules of their own. */
  items: readonly Grouped[];
  mutate: MutateItems;
  onClose: () => void;
  /** Opens the dialog again, with the same text. */
  onAsk: (again: PendingChange) => void;
  /** Called after a refusal too, since the list was out of date. */
  onChanged: () => void;
  onDone?: () => void;
}

/**
 * Asks before a change of items, for a reason, and for a signature if the study wants one. A change that needs no
 * signature and can be undone is shown at once; a refusal takes it back and says why.
 */
export function ChangeDialog(props: Props) {
  const { change, kind, ids, statement, nameOf, items, mutate, onClose, onAsk, onChanged, onDone } = props;
  const { study, can } = useStudy();
  const toast = useToast();
  const isSigned = changes[change].isSigned && policyOf(study.lockPolicy, items).signature;
  const what = strings.items(kind, ids.length);

  async function submit(statement: Statement) {
    if (isSigned || !isExpectable(change)) {
      await make(change, statement);
      onClose();
      done();
      return;
    }
    void makeAhead(change, statement).then(done, (error) => refused(error, statement));
    onClose();
  }
  async function make(change: Change, statement: Statement) {
    try {
      await changeItems(study.identifier, change, kind, ids, statement);
    } catch (error) {
      if (!isProblem(error, 'auth.sign-in-stale')) onChanged();
      throw explained(error, ids, nameOf);
    }
  }
  const makeAhead = (change: Change, statement: Statement) =>
    mutate({ change, ids }, () => make(change, statement));
  function done() {
    onDone?.();
    onChanged();
    toast({ text: strings.done[change](what), ...(canUndo() && { undo }) });
  }
  const refused = (error: unknown, statement: Statement) =>
    toast({
      text: messageOf(error),
      isFailure: true,
      ...(isPassing(error) && { retry: () => onAsk({ change, kind, ids, statement }) }),
    });

  /** A button that says "Undo" gives no signature, and only owners may undo some changes. */
  function canUndo() {
    if (change === 'lock') return !isSigned && mayUnlock(study, items);
    return change === 'delete' ? can('own') : !isSigned;
  }
  async function undo() {
    await makeAhead(changes[change].undo, { reason: strings.undoReason });
    onChanged();
    toast({ text: strings.undone });
  }

  return (
    <Dialog title={strings.ask[change](what)} onClose={onClose}>
      <p>{strings.explain[change]}</p>
      <StatementForm
        submit={`${strings.changes[change]} ${what}`}
        kind={change === 'delete' ? 'danger' : 'primary'}
        statement={statement}
        isSigned={isSigned}
        onSubmit={submit}
        keep={(typed) => keepDraft<PendingChange>(changeDraft, { change, kind, ids, statement: typed })}
        beside={<Button onClick={onClose}>{common.cancel}</Button>}
      />
    </Dialog>
  );
}

const maxNames = 3;

/** The reason of a refusal, with the names of the items at fault instead of their places in the request. */
function explained(error: unknown, ids: readonly string[], nameOf: Props['nameOf']): unknown {
  if (!isProblem(error, 'item.locked', 'items.not-found')) return error;
  const at = error.errors.flatMap(({ pointer }) => ids[Number(pointer?.split('/')[2])] ?? []);
  if (at.length === 0) return error;
  if (error.code === 'items.not-found') return new Refusal(strings.goneAmong(at.length));
  const names = at.slice(0, maxNames).map((id) => `“${nameOf(id) ?? id}”`);
  if (at.length > maxNames) names.push(strings.andMore(at.length - maxNames));
  return new Refusal(strings.lockedAmong(at.length, names.join(', ')));
}
