const firstMs = 500;
const mostTries = 5;

/**
 * Writes down what cannot be undone. A database in trouble is asked again a few times, after growing, jittered
 * delays; the write must be one that may happen twice. @throws what the last try threw
 */
export async function insist<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (tries === mostTries) throw error;
      const ceiling = firstMs * 2 ** tries;
      await new Promise((resolve) => setTimeout(resolve, ceiling / 2 + Math.random() * (ceiling / 2)));
    }
  }
}
