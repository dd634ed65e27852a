import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { catalogue, notFound, Problem, rootMessage } from '../errors.ts';
import { frozenProblem } from '../permissions/frozen-groups.ts';
import { maxSignInAge } from '../permissions/lock-policies.ts';
import { contextOf, type Env } from './context.ts';

/** The answer to an error (RFC 9457). */
export function problemResponse(problem: Problem): Response {
  const { status, title } = catalogue[problem.code];
  const headers = new Headers({ 'content-type': 'application/problem+json' });
  if (status === 401) headers.set('www-authenticate', challengeOf(problem));
  if (problem.allow !== undefined) headers.set('allow', problem.allow);
  if (problem.retryAfterSeconds !== undefined) headers.set('retry-after', String(problem.retryAfterSeconds));
  return Response.json(
    {
      type: `/problems/${problem.code}`,
      title,
      status,
      detail: problem.message,
      code: problem.code,
      ...(problem.errors && { errors: problem.errors }),
      ...(problem.bound && { bound: problem.bound }),
    },
    { status, headers },
  );
}

/** RFC 6750, section 3; RFC 9470, section 3. */
const challengeOf = ({ code }: Problem) =>
  code === 'auth.sign-in-stale'
    ? `Bearer error="insufficient_user_authentication", error_description="A fresh sign-in is needed", max_age="${maxSignInAge}"`
    : 'Bearer';

export const onNotFound = () => problemResponse(notFound('resource'));

export async function onError(error: Error, c: Context<Env>): Promise<Response> {
  const isFrozen = !(error instanceof Problem) && frozen.test(rootMessage(error));
  const problem = isFrozen ? await frozenIn(c) : asProblem(error);
  const { code, status } = problem;
  const requestId = c.get('requestId');
  const { log } = c.get('services');
  if (code === 'client.closed') log({ event: code, requestId, error: rootMessage(error) });
  else if (status >= 500) log({ event: 'request.failed', requestId, code, error: rootMessage(error) });
  return problemResponse(problem);
}

function asProblem(error: Error): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof HTTPException && error.status === 413)
    return new Problem('request.too-large', 'Expected a smaller body.');
  if (error instanceof HTTPException && error.status === 400)
    return new Problem('request.malformed-json', 'Expected a JSON document in UTF-8.');
  if (unwritable.test(rootMessage(error)))
    return new Problem('database.overloaded', 'Nothing can be written at the moment.', {
      retryAfterSeconds: 30,
    });
  if (overloaded.test(rootMessage(error)))
    return new Problem('database.overloaded', 'The database has too much to do.', { retryAfterSeconds: 2 });
  return new Problem('internal.error', 'The fault is on our side, and was logged under the request id.');
}

/** The error names the frozen part of the study, which is found by the thing that the path names first. */
function frozenIn(c: Context<Env>): Promise<Problem> {
  const { db, actor } = contextOf(c);
  return frozenProblem(db, actor, c.req.param('id') ?? '');
}

/** The message of the triggers of frozen studies, as D1 and SQLite pass it on. */
const frozen = /\bstudy\.frozen\b/;

/** Messages of D1 and SQLite that accept no writes: the disk is full, or the file is read only. */
const unwritable = /database or disk is full|maximum DB size|readonly database|disk I\/O error/i;

/** Messages of D1 and SQLite when they are overloaded, or have lost the connection or the object behind it. */
const overloaded =
  /overloaded|D1 DB .*(limit|queue)|exceeded timeout|reset because|object to be reset|connection lost|transient issue|SQLITE_BUSY|database is locked/i;
