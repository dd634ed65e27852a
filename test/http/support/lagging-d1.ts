import { env } from 'cloudflare:workers';
import { dumpTables, restoreTables, type Tables } from '../../support/worker/tables.ts';

interface Lagging {
  sql: string;
  values: unknown[];
  bind(...values: unknown[]): Lagging;
  all(): Promise<D1Result>;
  run(): Promise<D1Result>;
  raw(): Promise<unknown[]>;
}

type Run = <T>(statements: Lagging[], work: () => Promise<T>) => Promise<T>;

const bookmarkOf = (commit: number) =>
  `${commit.toString(16).padStart(8, '0')}-00000000-00000000-${'0'.repeat(32)}`;

/**
 * D1 with one replica that stands still until `catchUp`: a session that begins anywhere sees what the replica has, one
 * that brings a bookmark sees all that was committed up to it, and no more. Time is moved by putting the tables back to
 * what they were at a commit, so that reads are real.
 */
export async function laggingD1() {
  const commits: Tables[] = [await dumpTables()];
  let replica = 0;
  let last: Promise<unknown> = Promise.resolve();
  const asked: string[] = [];
  const latest = () => commits.length - 1;

  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const run = last.then(work);
    last = run.catch(() => {});
    return run;
  };

  async function atPrimary<T>(work: () => Promise<T>): Promise<T> {
    const answer = await work();
    commits.push(await dumpTables());
    return answer;
  }

  async function atCommit<T>(commit: number, work: () => Promise<T>): Promise<T> {
    await restoreTables(commits[commit] ?? {});
    try {
      return await work();
    } finally {
      await restoreTables(commits[latest()] ?? {});
    }
  }

  const bound = ({ sql, values }: Lagging) => env.DB.prepare(sql).bind(...values);
  const interfaceOf = (run: Run) => {
    const statement = (sql: string, values: unknown[]): Lagging => {
      const one: Lagging = {
        sql,
        values,
        bind: (...given) => statement(sql, given),
        all: () => run([one], () => bound(one).all()),
        run: () => run([one], () => bound(one).run()),
        raw: () => run([one], () => bound(one).raw()),
      };
      return one;
    };
    return {
      prepare: (sql: string) => statement(sql, []),
      batch: (all: Lagging[]) => run(all, () => env.DB.batch(all.map(bound))),
    };
  };

  const withSession = (start = 'first-unconstrained') => {
    asked.push(start);
    let seen: number | null = null;
    const run: Run = (statements, work) =>
      alone(async () => {
        const begins = start.startsWith('first-') ? 0 : Number.parseInt(start.slice(0, 8), 16);
        if (begins > latest()) throw new Error('D1_SESSION_ERROR: invalid bookmark or constraint');
        const writes = statements.some(({ sql }) => !/^\s*select/i.test(sql));
        if (writes || (seen === null && start === 'first-primary')) {
          const answer = await atPrimary(work);
          seen = latest();
          return answer;
        }
        const from = Math.max(replica, begins, seen ?? 0);
        seen = from;
        return atCommit(from, work);
      });
    return { ...interfaceOf(run), getBookmark: () => (seen === null ? null : bookmarkOf(seen)) };
  };

  const database = { ...interfaceOf((_, work) => alone(() => atPrimary(work))), withSession };
  return {
    database: database as unknown as D1Database,
    asked,
    catchUp: () => {
      replica = latest();
    },
  };
}
