import { z } from 'zod';
import { InputError } from './errors.ts';
import type { Endpoint, State } from './state.ts';

/** An endpoint as the JSON side shows it. */
export type Phone = Pick<Endpoint, 'arn' | 'platform' | 'token' | 'enabled'>;

const tokenSchema = z.strictObject({ token: z.string().min(1) });

/** Every endpoint, oldest first. */
export function listPhones(state: State): Phone[] {
  return [...state.endpoints.values()].map(toPhone);
}

/** Disables a phone's endpoints, as SNS does when Apple or Google tells that the token is no longer good. */
export function disablePhones(body: unknown, state: State): Phone[] {
  for (const endpoint of endpointsOf(body, state)) state.putEndpoint({ ...endpoint, enabled: false });
  return endpointsOf(body, state).map(toPhone);
}

/** Deletes a phone's endpoints behind the service's back. */
export function deletePhones(body: unknown, state: State): Phone[] {
  const endpoints = endpointsOf(body, state);
  for (const { arn } of endpoints) state.deleteEndpoint(arn);
  return endpoints.map(toPhone);
}

/** What of an endpoint the JSON side shows. */
export function toPhone({ arn, platform, token, enabled }: Endpoint): Phone {
  return { arn, platform, token, enabled };
}

function endpointsOf(body: unknown, state: State): Endpoint[] {
  const result = tokenSchema.safeParse(body);
  if (!result.success) throw new InputError(z.prettifyError(result.error));
  const { token } = result.data;
  const endpoints = [...state.endpoints.values()].filter((endpoint) => endpoint.token === token);
  if (endpoints.length === 0) throw new InputError(`No endpoint has the token '${token}'.`, 404);
  return endpoints;
}
