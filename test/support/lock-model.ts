/** The model's knowledge of a study: whether it is frozen, and the lock, label and responses of each case. */
export interface ModelState {
  frozen: boolean;
  cases: { locked: boolean; label: string; responses: string[] }[];
}

export const initialState = (labels: string[]): ModelState => ({
  frozen: false,
  cases: labels.map((label) => ({ locked: false, label, responses: [] })),
});

type Refusal = 'item.locked' | 'study.frozen';

/** A request and its answer: `ok`, the code of a refusal, or `lost` when nobody knows. */
export type LockOp =
  | { kind: 'edit'; case: number; label: string; answer: 'ok' | Refusal | 'lost' }
  | { kind: 'create'; case: number; response: string; answer: 'ok' | Refusal | 'lost' }
  | { kind: 'lock'; case: number; answer: 'ok' | 'study.frozen' | 'lost' }
  | { kind: 'unlock'; case: number; answer: 'ok' | 'study.frozen' | 'lost' }
  | { kind: 'lock-all'; answer: 'ok' | 'study.frozen' | 'lost' }
  | { kind: 'unlock-all'; answer: 'ok' | 'study.frozen' | 'lost' }
  | { kind: 'freeze'; answer: 'ok' | 'lost' }
  | { kind: 'unfreeze'; answer: 'ok' | 'lost' }
  | { kind: 'read'; case: number; answer: { label: string; locked: boolean } | 'lost' };

/** A lock or an unlock of all cases that a filter finds. */
function stepAll(state: ModelState, op: Extract<LockOp, { kind: 'lock-all' | 'unlock-all' }>) {
  const locked = op.kind === 'lock-all';
  const isRefused = state.frozen && state.cases.some((one) => one.locked !== locked);
  if (isRefused ? op.answer === 'ok' : op.answer === 'study.frozen') return undefined;
  return isRefused ? state : { ...state, cases: state.cases.map((one) => ({ ...one, locked })) };
}

/** The state after an operation, or undefined when its answer cannot come from `state`. */
export function step(state: ModelState, op: LockOp): ModelState | undefined {
  if (op.kind === 'freeze' || op.kind === 'unfreeze') return { ...state, frozen: op.kind === 'freeze' };
  if (op.kind === 'lock-all' || op.kind === 'unlock-all') return stepAll(state, op);
  const item = state.cases[op.case];
  if (!item) return undefined;
  if (op.kind === 'read') {
    const { answer } = op;
    return answer === 'lost' || (answer.label === item.label && answer.locked === item.locked)
      ? state
      : undefined;
  }
  const after = changed(item, op);
  // Requests that change nothing are never refused.
  const refused: Refusal[] =
    after === item && op.kind !== 'edit'
      ? []
      : [
          ...(item.locked && op.kind !== 'unlock' && op.kind !== 'lock' ? (['item.locked'] as const) : []),
          ...(state.frozen ? (['study.frozen'] as const) : []),
        ];
  const next = { ...state, cases: state.cases.with(op.case, after) };
  if (op.answer === 'lost') return refused.length > 0 ? state : next;
  if (op.answer === 'ok') return refused.length > 0 ? undefined : next;
  return refused.includes(op.answer) ? state : undefined;
}

function changed(
  item: ModelState['cases'][number],
  op: Extract<LockOp, { kind: 'edit' | 'create' | 'lock' | 'unlock' }>,
) {
  switch (op.kind) {
    case 'edit':
      return { ...item, label: op.label };
    case 'create':
      return item.responses.includes(op.response)
        ? item
        : { ...item, responses: [...item.responses, op.response].sort() };
    case 'lock':
      return item.locked ? item : { ...item, locked: true };
    case 'unlock':
      return item.locked ? { ...item, locked: false } : item;
  }
}
