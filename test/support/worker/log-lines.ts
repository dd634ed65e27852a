let kept: string[] = [];
let keeping: typeof console.log | undefined;

/**
 * Keeps what the service logs, but for the lines of requests, until the test has ended: vitest hands on each line at once,
 * which took half of the time of a test that sends many requests.
 */
export function keepLogLines(): void {
  const { log } = console;
  if (log === keeping) return;
  keeping = (...words: unknown[]) => {
    const [line] = words;
    if (typeof line !== 'string' || !line.startsWith('{"event":')) log(...words);
    else if (!line.startsWith('{"event":"request"')) kept.push(line);
  };
  console.log = keeping;
}

export function endLogLines({ show }: { show: boolean }): void {
  if (show && kept.length > 0) console.info(kept.join('\n'));
  kept = [];
}
