import { strings } from '../common-strings.ts';
import { Door } from './door.tsx';
import { PageHead } from './page-head.tsx';
import { ProblemNote } from './problem-note.tsx';

/** Replaces a screen that could not be read: the problem, below a title as on every screen. */
export const FailedScreen = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <>
    <PageHead title={strings.failed} />
    <ProblemNote error={error} onRetry={onRetry} />
  </>
);

/** The same before any screen is loaded. */
export const FailedDoor = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <Door title={strings.failed}>
    <ProblemNote error={error} onRetry={onRetry} />
  </Door>
);
