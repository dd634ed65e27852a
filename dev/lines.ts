import type { Readable } from 'node:stream';
import type { ProcessGroup } from './process-group.ts';
import { createLogFilter, type Stream } from './worker-log.ts';

/** What a child says: shown as it comes, and the latest of it kept for the case that it dies. */
export interface Lines {
  /** The latest lines that were worth showing, or, if there was none, the latest of all. */
  latest(): string[];
  /** Shows nothing more: what a child says while it ends is of no interest. */
  mute(): void;
}

const KEPT = 8;

/** Shows errors and warnings on our stderr; with `all`, every line where it came from. */
export function showLines({ child }: ProcessGroup, { all }: { all: boolean }): Lines {
  const isWorthShowing = createLogFilter();
  const shown: string[] = [];
  const every: string[] = [];
  let muted = false;

  const take = (stream: Stream, line: string) => {
    const worth = isWorthShowing(stream, line);
    for (const list of worth ? [shown, every] : [every]) if (list.push(line) > KEPT) list.shift();
    if (muted) return;
    if (all) process[stream].write(`${line}\n`);
    else if (worth) process.stderr.write(`${line}\n`);
  };
  if (child.stdout) readLines(child.stdout, (line) => take('stdout', line));
  if (child.stderr) readLines(child.stderr, (line) => take('stderr', line));
  return {
    latest: () => (shown.length > 0 ? shown : every),
    mute: () => {
      muted = true;
    },
  };
}

function readLines(stream: Readable, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  stream.on('end', () => rest !== '' && take(rest));
}
