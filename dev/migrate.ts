import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { StartError } from './start-error.ts';
import { startWrangler } from './wrangler.ts';

/** Applies new migrations to the local database. @throws StartError with the reason, in one line */
export async function migrate(stateFolder: string, signal: AbortSignal): Promise<void> {
  const args = ['d1', 'migrations', 'apply', 'fieldbell', '--local', '--persist-to', stateFolder];
  const { child, exited, end } = startWrangler(args, stateFolder);
  const stop = () => void end();
  signal.addEventListener('abort', stop, { once: true });
  const [{ code }, output, errors] = await Promise.all([exited, read(child.stdout), read(child.stderr)]);
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (code !== 0) throw new StartError(explainFailure(output, errors));
}

const read = async (stream: NodeJS.ReadableStream | null) =>
  stream ? stripVTControlCharacters(await text(stream)) : '';

/**
 * Explains a failure in one line. Wrangler prints a table of the migrations to apply, and a line for each that it has
 * applied.
 */
export function explainFailure(output: string, errors: string): string {
  const applied = output.match(/commands? executed successfully/g)?.length ?? 0;
  const [, migration] = [...output.matchAll(/│ (\S+\.sql) +│/g)][applied] ?? [];
  const [, reason] = /\[ERROR\] *(.+)/.exec(errors) ?? [];
  const lines = `${errors}\n${output}`.split('\n').map((line) => line.trim());
  const why = reason ?? lines.find((line) => line !== '') ?? 'wrangler did not say why';
  return migration
    ? `The migration migrations/${migration} failed: ${why}`
    : `The migrations were not applied: ${why}`;
}
