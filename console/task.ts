import { useState } from 'preact/hooks';

/** One action at a time, its name while it runs, and its failure. */
export function useTask() {
  const [busy, setBusy] = useState<string>();
  const [error, setError] = useState<unknown>();
  async function run(act: () => Promise<unknown>, name = 'task'): Promise<void> {
    setBusy(name);
    setError(undefined);
    await act().catch(setError);
    setBusy(undefined);
  }
  return { busy, error, run };
}
