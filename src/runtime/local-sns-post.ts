import aws4 from 'aws4';
import { formType, type Post, type SnsConnection, snsUrl } from './sns-post.ts';

/** Posts once, follows no redirect, and rejects when no answer came or the signal was given. */
export type Transport = (
  url: string,
  request: { headers: Record<string, string>; body: string; signal: AbortSignal },
) => ReturnType<Post>;

export const viaFetch: Transport = async (url, request) => {
  const response = await fetch(url, { method: 'POST', redirect: 'manual', ...request });
  return { status: response.status, text: await response.text() };
};

/** Signs at once with the machine's own cryptography: WebCrypto, which answers later, costs several times as much. */
export const localPost =
  (transport: Transport) =>
  (connection: SnsConnection): Post => {
    const { href, host, pathname, search } = snsUrl(connection);
    const { region, accessKeyId, secretAccessKey, sessionToken } = connection;
    const identity = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
    const request = { service: 'sns', region, method: 'POST', host, path: `${pathname}${search}` };

    return async (body, signal) => {
      const { headers } = aws4.sign({ ...request, headers: { ...formType }, body }, identity);
      // The transport says both itself.
      const { Host: _host, 'Content-Length': _length, ...signed } = headers as Record<string, string>;
      return transport(href, { headers: signed, body, signal });
    };
  };
