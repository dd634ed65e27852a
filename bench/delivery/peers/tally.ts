/** Counts people who are recorded and planned, and reports to the bench when they are all. */
export function createTally(size: number) {
  let settled = 0;
  return (count: number): void => {
    settled += count;
    if (settled === size) console.log(JSON.stringify({ event: 'settled', at: Date.now() }));
  };
}

export const settledLine = /"event":"settled","at":(\d+)/;
export const readyLine = /"event":"ready"/;

export const reportReady = (): void => console.log(JSON.stringify({ event: 'ready' }));
