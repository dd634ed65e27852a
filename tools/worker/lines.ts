import type { Readable } from 'node:stream';
import { createLogFilter, type Stream } from './log.ts';
import type { ProcessGroup } from './process-group.ts';

/** A child's output: shown as it comes, with the latest lines kept in case it dies. */
export interface Lines {
  /** The latest lines worth showing or, without any, the latest of all. */
  latest(): string[];
  /** Shows nothing more, because output during shutdown is noise. */
  mute(): void;
}

const maxLines = 8;

/** Shows errors and warnings on stderr. With `all`: every line, on the stream that it came from. */
export function showLines({ child }: ProcessGroup, { all }: { all: boolean }): Lines {
  const isWorthShowing = createLogFilter();
  const shown: string[] = [];
  const every: string[] = [];
  let muted = false;

  const take = (stream: Stream, line: string) => {
    const worth = isWorthShowing(stream, line);
    for (const list of worth ? [shown, every] : [every]) if (list.push(line) > maxLines) list.shift();
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
