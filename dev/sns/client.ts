import { AwsClient } from 'aws4fetch';
import { SNS_DEFAULTS } from './defaults.ts';

export interface SnsAnswer {
  status: number;
  xml: string;
  /** The text of the first element of that name. */
  text: (name: string) => string | undefined;
}

export type SnsCall = (action: string, params?: Record<string, string>) => Promise<SnsAnswer>;

/** A signed client of the query protocol, for tests and scripts. */
export function createSnsClient(
  url: string,
  keys: Partial<ConstructorParameters<typeof AwsClient>[0]> = {},
): SnsCall {
  const { accessKeyId, secretAccessKey, region } = SNS_DEFAULTS;
  const aws = new AwsClient({ accessKeyId, secretAccessKey, region, service: 'sns', retries: 0, ...keys });
  return async (action, params = {}) => {
    const response = await aws.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: new URLSearchParams({ Action: action, Version: '2010-03-31', ...params }).toString(),
    });
    const xml = await response.text();
    return { status: response.status, xml, text: (name) => textOf(xml, name) };
  };
}

function textOf(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return text
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#xD;', '\r')
    .replaceAll('&amp;', '&');
}
