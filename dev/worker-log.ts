import { stripVTControlCharacters } from 'node:util';

/** The stream of a line of wrangler's. The worker's console.log goes to stdout, the rest to stderr. */
export type Stream = 'stdout' | 'stderr';

interface Rule {
  starts: RegExp;
  show: boolean;
}

/** The first rule that matches a heading also decides for the indented lines under it. */
const headings: Record<Stream, readonly Rule[]> = {
  stdout: [
    // worker.ts says when it has been started again.
    { starts: /^\[wrangler:warn\] The Workers runtime crashed/, show: false },
    { starts: /^\[wrangler:(error|warn)\]/, show: true },
    { starts: /^(?=\S)/, show: false },
  ],
  stderr: [
    // cron.ts fires them.
    { starts: /Scheduled Workers are not automatically triggered/, show: false },
    // A client hung up before the end of its answer.
    { starts: /kj\/\S+: disconnected:/, show: false },
    // The runtime dies of an interrupted upload, without another word; worker.ts reports it.
    { starts: /^✘ \[ERROR\] (?:Uncaught Error: Network connection lost\.)?\s*$/, show: false },
    { starts: /^(?=\S)/, show: true },
  ],
};

/** Decides line by line what to show: errors and warnings of the worker and of wrangler. */
export function createLogFilter(): (stream: Stream, line: string) => boolean {
  const showing: Record<Stream, boolean> = { stdout: false, stderr: true };
  return (stream, text) => {
    const line = stripVTControlCharacters(text);
    if (line.trim() === '') return false;
    if (line.startsWith('{"event":')) return isTrouble(line);
    const rule = headings[stream].find(({ starts }) => starts.test(line));
    if (rule) showing[stream] = rule.show;
    return showing[stream];
  };
}

/** True for an entry of the worker's log about an error. */
function isTrouble(line: string): boolean {
  try {
    const entry: { event: string; error?: unknown } = JSON.parse(line);
    return entry.error !== undefined || entry.event.endsWith('failed');
  } catch {
    return true;
  }
}
