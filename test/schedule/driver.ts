import { type Decision, decideAll } from '../../src/schedule/decide.ts';
import { nextOccurrence, type Occurrence, type ReminderState } from '../../src/schedule/occurrences.ts';

/** A settled row, with the state that it was judged by. Rows of one call share its number. */
export interface Row extends Decision {
  revision: number;
  review: number;
  now: number;
  reminderState: ReminderState & { revision: number };
}

/**
 * The jobs' state of one user and one survey, in memory: rows by their key, the pending row, the newest settled date.
 * `plan` is replanning after an event, `run` is delivery.
 */
export function startDriver(reminderState: ReminderState & { revision: number }, startsAt: number) {
  const state = { reminderState, now: startsAt };
  const rows = new Map<string, Row>();
  let pending: (Occurrence & { revision: number }) | null = null;
  let reviews = 0;

  function keep(occurrence: Occurrence | null): void {
    pending = occurrence && { ...occurrence, revision: state.reminderState.revision };
  }

  function settle(revision: number, settlement: Decision): void {
    const key = `${revision} ${settlement.on}`;
    if (rows.has(key)) throw new Error(`settled twice: ${key}`);
    rows.set(key, {
      ...settlement,
      revision,
      review: reviews,
      now: state.now,
      reminderState: state.reminderState,
    });
  }

  return {
    state,
    rows,
    pending: () => pending,
    plan: () => keep(nextOccurrence(state.reminderState)),

    /** Delivers what is due. Answers with the number of pushes, and whether it came to settle anything. */
    run(): { pushes: number; settled: boolean } {
      let pushes = 0;
      let settled = false;
      while (pending !== null && pending.dueAt <= state.now) {
        const { revision } = pending;
        reviews++;
        const { decisions, next, wait } = decideAll({ pending, state: state.reminderState, now: state.now });
        for (const settlement of decisions) settle(revision, settlement);
        pushes += decisions.filter(({ verdict }) => verdict === 'send').length;
        settled ||= decisions.length > 0;
        keep(wait ?? next);
        const newest = decisions.at(-1)?.on;
        const { settledThrough } = state.reminderState;
        if (newest && revision === state.reminderState.revision && newest > (settledThrough ?? '')) {
          state.reminderState = { ...state.reminderState, settledThrough: newest };
        }
      }
      return { pushes, settled };
    },
  };
}

export type Driver = ReturnType<typeof startDriver>;
