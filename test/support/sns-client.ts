import { AwsClient } from 'aws4fetch';
import { snsDefaults } from '../../tools/fakes/sns/defaults.ts';

export interface SnsAnswer {
  status: number;
  xml: string;
  /** The text of the first element with that name. */
  text: (name: string) => string | undefined;
}

const entities: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#xD;': '\r',
  '&amp;': '&',
};

/** A signed client of the query protocol, for tests. */
export function createSnsClient(
  url: string,
  keys: Partial<ConstructorParameters<typeof AwsClient>[0]> = {},
): (action: string, params?: Record<string, string>) => Promise<SnsAnswer> {
  const { accessKeyId, secretAccessKey, region } = snsDefaults;
  const aws = new AwsClient({ accessKeyId, secretAccessKey, region, service: 'sns', retries: 0, ...keys });
  return async (action, params = {}) => {
    const response = await aws.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: new URLSearchParams({ Action: action, Version: '2010-03-31', ...params }).toString(),
    });
    const xml = await response.text();
    const text = (name: string) =>
      new RegExp(`<${name}>([^<]*)</${name}>`)
        .exec(xml)?.[1]
        ?.replace(/&[\w#]+;/g, (entity) => entities[entity] ?? entity);
    return { status: response.status, xml, text };
  };
}
