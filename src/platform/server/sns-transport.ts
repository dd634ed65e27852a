import { type Post, type SnsConnection, snsUrl } from '../../sns/post.ts';
import { createSigner } from './sns-signer.ts';

/** Posts once, follows no redirect, and rejects when no answer came or the signal was given. */
export type Transport = (
  url: URL,
  request: { headers: Record<string, string>; body: string; signal: AbortSignal },
) => ReturnType<Post>;

export const viaFetch: Transport = async (url, request) => {
  const response = await fetch(url, { method: 'POST', redirect: 'manual', ...request });
  return { status: response.status, text: await response.text() };
};

/** Calls SNS with Node's cryptography and the given transport. */
export const serverPost =
  (transport: Transport) =>
  (connection: SnsConnection): Post => {
    const url = snsUrl(connection);
    const sign = createSigner(connection);
    return async (body, signal) => transport(url, { headers: sign(body), body, signal });
  };
