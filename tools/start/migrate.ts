import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { StartError } from '../settings/start-error.ts';
import { startScript } from '../worker/wrangler.ts';

/** Applies new migrations to the local database. @throws StartError with the reason, in one line */
export async function migrate(stateFolder: string, signal: AbortSignal): Promise<void> {
  const script = join(import.meta.dirname, 'migrate-main.ts');
  const { child, exited, end } = startScript(script, [stateFolder], stateFolder);
  const stop = () => void end();
  signal.addEventListener('abort', stop, { once: true });
  const [{ code }, errors] = await Promise.all([exited, read(child.stderr), read(child.stdout)]);
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (code !== 0) throw new StartError(errors.trim() || `The migrations were not applied: exit code ${code}`);
}

const read = async (stream: NodeJS.ReadableStream | null) => (stream ? text(stream) : '');
