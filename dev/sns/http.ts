import type { IncomingMessage, ServerResponse } from 'node:http';
import { InputError } from './errors.ts';

/** Reads a request's body; throws a 413 `InputError` beyond `limit` bytes. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  }
  if (size > limit) throw new InputError(`The body must be at most ${limit} bytes.`, 413);
  return Buffer.concat(chunks);
}

/** Reads a JSON body of at most 1 MiB. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request, 1_048_576);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new InputError('The body must be JSON.');
  }
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, status: number, content: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(`${JSON.stringify(content)}\n`);
}

/** Answers without a body. */
export function sendNothing(response: ServerResponse): void {
  response.writeHead(204).end();
}
