import { env } from 'cloudflare:workers';
import { eventually } from '../eventually.ts';
import { plantFault, tellSns } from '../phones.ts';
import { createSnsClient, type SnsAnswer } from '../sns-client.ts';
import { world } from './world.ts';

/** A phone, as SNS knows it. */
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

export const disableAtSns = (token: string) => tellSns(world, '/phones/disable', { token });
export const deleteAtSns = (token: string) => tellSns(world, '/phones/delete', { token });

/** Makes the next calls about a phone fail. All files share one SNS, so a fault always names one. */
export const breakSns = (
  token: string,
  action: string,
  fault: { code?: string; kind?: string; status?: number; delayMs?: number; times?: number },
) => plantFault(world, { token, action, ...fault });

/** Waits until the fault about a phone has hit a call. */
export const faultTaken = (token: string) =>
  eventually(`a fault hits ${token}`, async () => {
    const faults: { token: string }[] = await (await fetch(`${env.SNS_ENDPOINT}faults`)).json();
    return faults.every((fault) => fault.token !== token);
  });

/** Calls SNS as somebody else would, behind the service's back. */
export const callSns = (action: string, params: Record<string, string>): Promise<SnsAnswer> =>
  createSnsClient(env.SNS_ENDPOINT)(action, params);

export const setEndpoint = (arn: string, attributes: Record<string, string>) =>
  callSns('SetEndpointAttributes', {
    EndpointArn: arn,
    ...Object.fromEntries(
      Object.entries(attributes).flatMap(([key, value], index) => [
        [`Attributes.entry.${index + 1}.key`, key],
        [`Attributes.entry.${index + 1}.value`, value],
      ]),
    ),
  });

/** The notifications on the phone: of pushes with the same collapse id only the last. */
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
