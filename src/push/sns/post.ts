import { AwsV4Signer } from 'aws4fetch';
import { readText } from '../../outgoing.ts';

/** The server and the credentials. */
export interface SnsConnection {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
  /** Base URL of an SNS-compatible server. Default: `https://sns.<region>.amazonaws.com/`. */
  endpoint?: string | undefined;
}

/**
 * Signs a form (AWS Signature Version 4) and posts it once. A signature is valid for one host, so a redirect is not
 * followed but returned. Rejects without an answer, and when the deadline has passed.
 */
export type Post = (body: string, deadline: AbortSignal) => Promise<{ status: number; text: string }>;

/** An answer of SNS has some 500 bytes. */
export const maxAnswerBytes = 64 * 1024;

export const formType = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };

/** Throws a TypeError when the endpoint is not a URL. */
export const snsUrl = ({ endpoint, region }: SnsConnection): URL =>
  new URL(endpoint ?? `https://sns.${region}.amazonaws.com/`);

/** Uses WebCrypto and `fetch`, which every runtime has. */
export function webPost(connection: SnsConnection, send: typeof fetch): Post {
  const { region, accessKeyId, secretAccessKey, sessionToken = '' } = connection;
  const request = { method: 'POST', url: snsUrl(connection).href, headers: formType };
  // Shared by all calls: deriving the day's signing key takes four of a signature's five HMACs.
  const cache = new Map<string, ArrayBuffer>();
  const identity = { service: 'sns', region, accessKeyId, secretAccessKey, sessionToken, cache };

  return async (body, signal) => {
    const { headers } = await new AwsV4Signer({ ...identity, ...request, body }).sign();
    const response = await send(request.url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    return { status: response.status, text: await readText(response.body, maxAnswerBytes) };
  };
}
