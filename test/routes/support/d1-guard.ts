import { env } from 'cloudflare:workers';
import { checkStatement } from '../../support/d1-limits.ts';

/*
 * The local D1 takes statements that the real one refuses, such as those with a parameter over 2 MB. From here on it
 * refuses them too, whoever prepares them.
 */

interface Statement extends D1PreparedStatement {
  statement: string;
}

const statements = Object.getPrototypeOf(env.DB.prepare('select 1')) as Statement;
const { bind } = statements;

statements.bind = function (this: Statement, ...values) {
  checkStatement(this.statement, values);
  return bind.apply(this, values);
};

/** Binds values as the local D1 does by itself. */
export const bindUnchecked = (statement: D1PreparedStatement, values: unknown[]): D1PreparedStatement =>
  bind.apply(statement as Statement, values);
