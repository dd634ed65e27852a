import process from 'node:process';
import type { LogEntry } from '../../services.ts';

let waiting: string[] = [];

/** One line of JSON on the standard output. Lines of one turn of the event loop are written together. */
export function log(entry: LogEntry): void {
  if (waiting.length === 0) setImmediate(flush);
  waiting.push(`${JSON.stringify({ ...entry, time: new Date().toISOString() })}\n`);
}

function flush() {
  const text = waiting.join('');
  waiting = [];
  if (text) process.stdout.write(text);
}

process.on('exit', flush);
// The reader of a pipe may be gone; the service goes on.
process.stdout.on('error', () => {});
