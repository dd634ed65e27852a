/* Whether the page is still asking for what it shows. */

let loading = 0;
const waiting = new Set<() => void>();

/** Something in the page is not there yet. @returns what to call once it is */
export function noteLoading(): () => void {
  loading++;
  return () => {
    loading--;
    check();
  };
}

/** Calls back once everything in the page is there. @returns what to call to no longer wait */
export function whenQuiet(then: () => void): () => void {
  waiting.add(then);
  check();
  return () => waiting.delete(then);
}

/** Not before what comes next has been drawn, which may have something to ask for itself. */
function check(): void {
  setTimeout(() => {
    if (loading > 0) return;
    const all = [...waiting];
    waiting.clear();
    for (const then of all) then();
  });
}
