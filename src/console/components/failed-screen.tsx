import { strings } from '../common-strings.ts';
import { Door } from './door.tsx';
import { PageHead } from './page-head.tsx';
import { ProblemNote } from './problem-note.tsx';

/** In the place of a screen that could not be read: what went wrong, below a title as each screen has one. */
export const FailedScreen = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <>
    <PageHead title={strings.failed} />
    <ProblemNote error={error} onRetry={onRetry} />
  </>
);

/** The same before there is a screen. */
export const FailedDoor = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <Door title={strings.failed}>
    <ProblemNote error={error} onRetry={onRetry} />
  </Door>
);
