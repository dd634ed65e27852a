/** Counts what is recorded and planned, and tells the benchmark when it was everybody. */
export function createTally(size: number) {
  let settled = 0;
  return (count: number): void => {
    settled += count;
    if (settled === size) console.log(JSON.stringify({ event: 'settled', at: Date.now() }));
  };
}

export const settledLine = /"event":"settled","at":(\d+)/;
export const readyLine = /"event":"ready"/;

export const tellReady = (): void => console.log(JSON.stringify({ event: 'ready' }));
