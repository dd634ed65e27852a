/** Writes together all requests of one turn of the event loop. */
export function inGroups<T>(write: (group: T[]) => unknown): (one: T) => Promise<void> {
  let waiting: { one: T; done: () => void; failed: (error: unknown) => void }[] = [];

  async function flush() {
    const group = waiting;
    waiting = [];
    try {
      await write(group.map(({ one }) => one));
      for (const { done } of group) done();
    } catch (error) {
      for (const { failed } of group) failed(error);
    }
  }

  return (one) =>
    new Promise((done, failed) => {
      if (waiting.push({ one, done, failed }) === 1) setImmediate(flush);
    });
}
