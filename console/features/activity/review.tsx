import { useState } from 'preact/hooks';
import { type AnswerOf, api, read } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';
import { useStudy } from '../../study-context.ts';
import type { Statement } from '../items/item-changes.ts';
import { keepDraft, takeDraft } from '../signatures/signing-drafts.ts';
import { StatementForm } from '../signatures/statement-form.tsx';
import { strings } from './activity-strings.ts';

const route = api.investigation[':id'].activity;
type Reviewed = AnswerOf<typeof route.$get>['reviewed'];

/** A review that the person was about to sign before signing in again. */
interface Draft {
  to: number;
  statement?: Statement;
}
const reviewDraft = 'review';

interface Props {
  reviewed: Reviewed;
  /** The position of the newest entry on the screen; undefined while a filter hides some. */
  newest: number | undefined;
  onReviewed: () => void;
}

/** How far the log is reviewed, and a button that marks the rest of it. */
export function Review({ reviewed, newest, onReviewed }: Props) {
  const [open, setOpen] = useState(() => takeDraft<Draft>(reviewDraft));
  const { can } = useStudy();
  const through = reviewed?.through ?? 0;
  return (
    <div class="note" role="status">
      <Icon name="check" />
      <p>
        {reviewed ? strings.reviewedThrough(through) : strings.reviewedNever}{' '}
        {reviewed && (
          <span class="muted">
            {strings.reviewedBy(reviewed.actorName)} <Time at={reviewed.at} />
          </span>
        )}
      </p>
      {can('design') && newest !== undefined && newest > through && (
        <Button onClick={() => setOpen({ to: newest })}>{strings.review.button}</Button>
      )}
      {open && (
        <ReviewDialog
          from={through + 1}
          draft={open}
          onClose={() => setOpen(undefined)}
          onReviewed={onReviewed}
        />
      )}
    </div>
  );
}

interface DialogProps {
  from: number;
  draft: Draft;
  onClose: () => void;
  onReviewed: () => void;
}

function ReviewDialog({ from, draft: { to, statement }, onClose, onReviewed }: DialogProps) {
  const { study } = useStudy();
  const toast = useToast();
  const { review } = strings;

  async function submit({ reason: comment = '', ...signed }: Statement) {
    await read(
      route.review.$post({ param: { id: study.identifier }, json: { from, to, comment, ...signed } }),
    );
    onClose();
    onReviewed();
    toast({ text: review.done(to) });
  }

  return (
    <Dialog title={review.title} onClose={onClose}>
      <p>{review.about(from, to)}</p>
      <StatementForm
        submit={review.button}
        statement={statement}
        isReasonNeeded
        text={{ label: review.comment, hint: review.commentHint, pointer: '/comment' }}
        isSigned={study.lockPolicy.signature}
        onSubmit={submit}
        keep={(typed) => keepDraft<Draft>(reviewDraft, { to, statement: typed })}
        beside={<Button onClick={onClose}>{common.cancel}</Button>}
      />
    </Dialog>
  );
}
