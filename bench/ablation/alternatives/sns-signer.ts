import { AwsV4Signer } from 'aws4fetch';
import { viaUndici } from '../../../src/platform/server/sns-post.ts';
import { formType, type Post, type SnsConnection, snsUrl } from '../../../src/push/sns/post.ts';

export * from '../../../src/platform/server/sns-post.ts';

/** Signs as `webPost` does. */
export const serverPost =
  () =>
  (connection: SnsConnection): Post => {
    const { region, accessKeyId, secretAccessKey, sessionToken = '' } = connection;
    const url = snsUrl(connection);
    const post = viaUndici(url);
    const request = { method: 'POST', url: url.href, headers: formType } as const;
    const cache = new Map<string, ArrayBuffer>();
    const identity = { service: 'sns', region, accessKeyId, secretAccessKey, sessionToken, cache };
    return async (body, signal) => {
      const { headers } = await new AwsV4Signer({ ...identity, ...request, body }).sign();
      return post({ method: 'POST', headers: Object.fromEntries(headers), body, signal });
    };
  };
