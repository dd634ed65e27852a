import { AwsV4Signer } from 'aws4fetch';
import type { Transport } from '../../../src/platform/server/sns-transport.ts';
import { formType, type Post, type SnsConnection, snsUrl } from '../../../src/sns/post.ts';

export * from '../../../src/platform/server/sns-transport.ts';

/** Signs as `webPost` does. */
export const serverPost =
  (transport: Transport) =>
  (connection: SnsConnection): Post => {
    const { region, accessKeyId, secretAccessKey, sessionToken = '' } = connection;
    const url = snsUrl(connection);
    const request = { method: 'POST', url: url.href, headers: formType };
    const cache = new Map<string, ArrayBuffer>();
    const identity = { service: 'sns', region, accessKeyId, secretAccessKey, sessionToken, cache };
    return async (body, signal) => {
      const { headers } = await new AwsV4Signer({ ...identity, ...request, body }).sign();
      return transport(url, { headers: Object.fromEntries(headers), body, signal });
    };
  };
