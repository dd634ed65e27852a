/** Kills the work at one of its steps: before or after the n-th call that goes out. */
export class FaultPoints {
  #passed = 0;
  #fatal: number | null = null;

  /** Throws at the given point from now on, counted from 0; null: never. */
  arm(fatal: number | null) {
    this.#passed = 0;
    this.#fatal = fatal;
  }

  get passed() {
    return this.#passed;
  }

  #point() {
    if (this.#passed++ === this.#fatal) throw new Error('killed by the test');
  }

  /** A call with a point before it and one after it. */
  async around<T>(call: () => Promise<T>): Promise<T> {
    this.#point();
    const result = await call();
    this.#point();
    return result;
  }
}

const executing = new Set(['all', 'run', 'raw', 'first']);

/** The same database, with a fault point before and after each round trip. */
export function withFaultPoints(db: D1Database, points: FaultPoints): D1Database {
  const inner = new WeakMap<object, D1PreparedStatement>();
  const wrapStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, key) {
        const value = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        if (key === 'bind') return (...values: unknown[]) => wrapStatement(target.bind(...values));
        if (executing.has(String(key)))
          return (...args: unknown[]) => points.around(() => value.apply(target, args));
        return value.bind(target);
      },
    });
    inner.set(wrapped, statement);
    return wrapped;
  };
  return new Proxy(db, {
    get(target, key) {
      if (key === 'prepare') return (query: string) => wrapStatement(target.prepare(query));
      if (key === 'batch')
        return (list: D1PreparedStatement[]) =>
          points.around(() => target.batch(list.map((one) => inner.get(one) ?? one)));
      const value = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
