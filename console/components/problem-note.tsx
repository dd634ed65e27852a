import { ProblemError } from '../../client/client.ts';
import { strings } from '../common-strings.ts';
import { messageOf } from '../problem.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** A problem, read out at once by screen readers, with a next step if there is one. */
export function ProblemNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <div class="note danger" role="alert">
      <Icon name="warning" />
      <div>
        <p>{messageOf(error)}</p>
        {error instanceof ProblemError && error.status >= 500 && error.requestId && (
          <p class="muted">{strings.problem.reference(error.requestId)}</p>
        )}
      </div>
      {onRetry && <Button onClick={onRetry}>{strings.tryAgain}</Button>}
    </div>
  );
}
