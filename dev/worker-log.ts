import { stripVTControlCharacters } from 'node:util';

/** Where a line of wrangler came from. What the worker says with console.log comes on stdout, the rest on stderr. */
export type Stream = 'stdout' | 'stderr';

interface Rule {
  starts: RegExp;
  show: boolean;
}

/** A heading decides for the indented lines under it as well. The first rule that fits counts. */
const HEADINGS: Record<Stream, readonly Rule[]> = {
  stdout: [
    { starts: /^\[wrangler:(error|warn)\]/, show: true },
    { starts: /^(?=\S)/, show: false },
  ],
  stderr: [
    // We call it each minute.
    { starts: /Scheduled Workers are not automatically triggered/, show: false },
    // Somebody hung up before the answer was through.
    { starts: /kj\/\S+: disconnected:/, show: false },
    { starts: /^(?=\S)/, show: true },
  ],
};

/** Tells line by line what is worth showing: errors and warnings, of the worker and of wrangler. */
export function createLogFilter(): (stream: Stream, line: string) => boolean {
  const showing: Record<Stream, boolean> = { stdout: false, stderr: true };
  return (stream, text) => {
    const line = stripVTControlCharacters(text);
    if (line.trim() === '') return false;
    if (line.startsWith('{"event":')) return isTrouble(line);
    const rule = HEADINGS[stream].find(({ starts }) => starts.test(line));
    if (rule) showing[stream] = rule.show;
    return showing[stream];
  };
}

/** An entry of the worker's log that tells of an error. */
function isTrouble(line: string): boolean {
  try {
    const entry: { event: string; error?: unknown } = JSON.parse(line);
    return entry.error !== undefined || entry.event.endsWith('failed');
  } catch {
    return true;
  }
}
