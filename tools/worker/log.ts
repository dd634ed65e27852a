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
    {
      starts:
        /^✘ \[ERROR\] (?:Error inside ProxyWorker .*:|Failed to drain the unused request body\. Error:) (?:Network connection lost|Can't read from request stream because client disconnected)\.\s*$/,
      show: false,
    },
    // The runtime dies of an interrupted upload, without another word; worker.ts reports it.
    { starts: /^✘ \[ERROR\] (?:Uncaught Error: Network connection lost\.)?\s*$/, show: false },
    { starts: /^(?=\S)/, show: true },
  ],
};

/** Addresses in the local runtime itself, which say nothing of the service. They follow an error that says what happened. */
const runtimeStack = /^\s*stack: .*\bworkerd(?:\.exe)?@[0-9a-f]/;

/** Decides line by line what to show: errors and warnings of the worker and of wrangler. */
export function createLogFilter(): (stream: Stream, line: string) => boolean {
  const showing: Record<Stream, boolean> = { stdout: false, stderr: true };
  return (stream, text) => {
    const line = stripVTControlCharacters(text);
    if (line.trim() === '' || runtimeStack.test(line)) return false;
    if (line.startsWith('{"event":')) return isTrouble(line);
    const rule = headings[stream].find(({ starts }) => starts.test(line));
    if (rule) showing[stream] = rule.show;
    return showing[stream];
  };
}

/** True for an entry of the worker's log about an error. A client that hangs up is none. */
function isTrouble(line: string): boolean {
  try {
    const entry: { event: string; error?: unknown } = JSON.parse(line);
    if (entry.event === 'client.closed') return false;
    return entry.error !== undefined || entry.event.endsWith('failed');
  } catch {
    return true;
  }
}
