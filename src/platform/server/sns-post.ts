import process from 'node:process';
import { readText } from '../../outgoing.ts';
import { maxAnswerBytes, type Post, type SnsConnection, snsUrl } from '../../sns/post.ts';
import { createSigner } from './sns-signer.ts';

/** Most connections to the relay; further calls wait for one. */
const connections = 128;

interface SignedForm {
  method: 'POST';
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}

/** Posts once, and follows no redirect. */
export type Send = (url: URL, form: SignedForm) => ReturnType<Post>;

export const viaFetch: Send = async (url, form) => {
  const response = await fetch(url, { ...form, redirect: 'manual' });
  return { status: response.status, text: await readText(response.body, maxAnswerBytes) };
};

/** For Node, whose `fetch` is the same client under layers that double the CPU of a whole delivery. */
async function viaUndici(): Promise<Send> {
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent({ connections });
  return async (url, form) => {
    form.signal.throwIfAborted();
    // undici tells of an abort only once it has a connection.
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = () => reject(form.signal.reason);
    form.signal.addEventListener('abort', abort, { once: true });
    try {
      const { statusCode, body } = await Promise.race([request(url, { ...form, dispatcher }), aborted]);
      return { status: statusCode, text: await readText(body, maxAnswerBytes) };
    } finally {
      form.signal.removeEventListener('abort', abort);
    }
  };
}

export const ownSend = process.versions.deno ? viaFetch : await viaUndici();

/** Calls SNS with Node's cryptography and the fastest HTTP client of this runtime. */
export const serverPost =
  (send = ownSend) =>
  (connection: SnsConnection): Post => {
    const url = snsUrl(connection);
    const sign = createSigner(connection);
    return (body, signal) => send(url, { method: 'POST', headers: sign(body), body, signal });
  };
