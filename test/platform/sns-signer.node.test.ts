import { AwsV4Signer } from 'aws4fetch';
import { expect, test } from 'vitest';
import { createSigner } from '../../src/platform/server/sns-signer.ts';
import { formType, snsUrl } from '../../src/push/sns/post.ts';

const connection = {
  region: 'eu-central-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};

test.each([
  ['AWS', connection],
  ['another region', { ...connection, region: 'us-east-1' }],
  ['temporary credentials', { ...connection, sessionToken: 'FwoGZXIvYXdzEBc/+=' }],
  ['a server with a port and a path', { ...connection, endpoint: 'http://127.0.0.1:8788/sns/v1' }],
])('%s gets the signature that aws4fetch makes', async (_, settings) => {
  const sign = createSigner(settings);
  // Over midnight, when the signing key changes.
  for (const time of ['2027-03-01T23:59:59.500Z', '2027-03-02T00:00:00.000Z', '2027-03-01T12:00:00.000Z'])
    for (const body of ['Action=Publish&Message=caf%C3%A9%20%2B', '']) {
      const signer = new AwsV4Signer({
        ...settings,
        service: 'sns',
        method: 'POST',
        url: snsUrl(settings).href,
        headers: formType,
        datetime: time.replace(/[-:]|\.\d{3}/g, ''),
        body,
        allHeaders: true,
      });
      const { headers } = await signer.sign();
      expect(sign(body, new Date(time))).toEqual(Object.fromEntries(headers));
    }
});
