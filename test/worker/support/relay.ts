import { env } from 'cloudflare:workers';
import { createSnsClient, type SnsAnswer } from '../../support/sns-client.ts';

/** What the relay knows of a phone. */
export interface Endpoint {
  arn: string;
  token: string;
  enabled: boolean;
}

/** The endpoints that carry a token. */
export async function endpointsOf(token: string): Promise<Endpoint[]> {
  const all: Endpoint[] = await (await fetch(`${env.SNS_ENDPOINT}phones`)).json();
  return all
    .filter((endpoint) => endpoint.token === token)
    .map(({ arn, enabled }) => ({ arn, token, enabled }));
}

async function tell(path: string, body: object) {
  const answer = await fetch(env.SNS_ENDPOINT + path, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

export const disableAtRelay = (token: string) => tell('phones/disable', { token });
export const deleteAtRelay = (token: string) => tell('phones/delete', { token });

/** Makes the next calls about a phone fail. All files share the relay, so a fault always names one. */
export const breakRelay = (
  token: string,
  action: string,
  fault: { code?: string; kind?: string; status?: number; delayMs?: number; times?: number },
) => tell('faults', { token, action, ...fault });

/** Calls the relay as somebody else would, behind the service's back. */
export const callRelay = (action: string, params: Record<string, string>): Promise<SnsAnswer> =>
  createSnsClient(env.SNS_ENDPOINT)(action, params);

export const setEndpoint = (arn: string, attributes: Record<string, string>) =>
  callRelay('SetEndpointAttributes', {
    EndpointArn: arn,
    ...Object.fromEntries(
      Object.entries(attributes).flatMap(([key, value], index) => [
        [`Attributes.entry.${index + 1}.key`, key],
        [`Attributes.entry.${index + 1}.value`, value],
      ]),
    ),
  });

/** What the phone shows: of pushes with the same collapse id only the last. */
export async function shownOn(token: string): Promise<string[]> {
  const events = await fetch(`${env.SNS_ENDPOINT}events`);
  const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader && !/^data: .*\n\n/m.test(text)) text += (await reader.read()).value ?? '';
  await reader?.cancel();
  const { pushes } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '{}');
  return [...new Set<string>(pushes.filter((push: Endpoint) => push.token === token).map(collapseIdOf))];
}

const collapseIdOf = (push: { collapseId: string }) => push.collapseId;
