import { env } from 'cloudflare:workers';
import { vi } from 'vitest';

interface Statement extends D1PreparedStatement {
  statement: string;
}

const statements = Object.getPrototypeOf(env.DB.prepare('select 1')) as Statement;
const sessions = Object.getPrototypeOf(env.DB.withSession()) as D1DatabaseSession;

const isWrite = ({ statement }: Statement) =>
  !/^\s*(select|with)\b/i.test(statement) || /\b(insert into|update \S+ set|delete from)\b/i.test(statement);

/** D1 refuses all writes from now on, like a full database, and reads go on. Returns a function that ends this. */
export function refuseWrites(): () => void {
  const refuse = () => {
    throw new Error('D1_ERROR: database or disk is full: SQLITE_FULL');
  };
  const { batch } = sessions;
  const spies = [
    vi.spyOn(sessions, 'batch').mockImplementation(async function (this: D1DatabaseSession, all) {
      return (all as Statement[]).some(isWrite) ? refuse() : batch.call(this, all);
    } as typeof batch),
    ...(['all', 'first', 'run', 'raw'] as const).map((name) => {
      const method = statements[name] as (this: Statement, ...args: unknown[]) => unknown;
      return vi.spyOn(statements, name).mockImplementation(async function (
        this: Statement,
        ...args: unknown[]
      ) {
        return isWrite(this) ? refuse() : method.apply(this, args);
      } as never);
    }),
  ];
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
}
