import { Pool } from 'undici';
import { maxAnswerBytes, type Post, type SnsConnection, snsUrl } from '../../push/sns/post.ts';
import { dispatch } from './dispatch.ts';
import { createSigner } from './sns-signer.ts';

/** Most connections to the relay; further calls wait for one. */
const connections = 128;

interface SignedForm {
  method: 'POST';
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}

/** The way to a server: posts once, and follows no redirect. */
export type Send = (url: URL) => (form: SignedForm) => ReturnType<Post>;

/** The same client as Node's `fetch`, without the layers that double the CPU of a whole delivery. */
export const viaUndici: Send = ({ origin, pathname, search }) => {
  const pool = new Pool(origin, { connections });
  const path = `${pathname}${search}`;
  return (form) => dispatch(pool, { path, ...form }, maxAnswerBytes);
};

/** Calls SNS with Node's cryptography and the fastest HTTP client of Node and Deno. */
export const serverPost =
  (send = viaUndici) =>
  (connection: SnsConnection): Post => {
    const post = send(snsUrl(connection));
    const sign = createSigner(connection);
    return (body, signal) => post({ method: 'POST', headers: sign(body), body, signal });
  };
