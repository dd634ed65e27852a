import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { State, type StateData } from './state.ts';

const VERSION = 1;
const DEBOUNCE_MS = 250;

/** Reads the state that an earlier run kept; an empty one if there is no file yet. */
export async function loadState(path: string): Promise<State> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? new State() : new State(parseState(text, path));
}

/** Writes each change to the file, soon and atomically. `flush` resolves when all is written, and stops. */
export function keepState(state: State, path: string): { flush(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let lastCostMs = 0;

  const save = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const started = performance.now();
    const text = JSON.stringify({ version: VERSION, ...state.toJSON() });
    lastCostMs = performance.now() - started;
    const written = writing.then(() => writeAtomically(path, text));
    writing = written.catch((error: Error) =>
      console.error(`Local SNS cannot keep its state: ${error.message}`),
    );
    return written;
  };
  const saveSoon = (): void => {
    // A large inbox takes a while to serialise: at most a twentieth of the time goes into it.
    timer ??= setTimeout(() => void save().catch(() => {}), Math.max(DEBOUNCE_MS, 20 * lastCostMs));
  };

  state.on('change', saveSoon);
  return {
    flush: () => {
      state.off('change', saveSoon);
      return timer ? save() : writing;
    },
  };
}

function parseState(text: string, path: string): StateData {
  const problem = `${path} is not the state of a local SNS. Delete it to start afresh.`;
  let content: Partial<StateData & { version: number }>;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new Error(problem, { cause });
  }
  const { version, applications, endpoints, pushes } = content ?? {};
  if (version !== VERSION || !applications || !endpoints || !pushes) throw new Error(problem);
  return { applications, endpoints, pushes };
}

async function writeAtomically(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${process.pid}.tmp`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(unfinished, text);
  await rename(unfinished, path);
}
