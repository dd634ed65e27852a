import {
  createPlatformApplication,
  getPlatformApplicationAttributes,
  setPlatformApplicationAttributes,
} from './applications.ts';
import type { Context } from './context.ts';
import {
  createPlatformEndpoint,
  deleteEndpoint,
  getEndpointAttributes,
  listEndpointsByPlatformApplication,
  setEndpointAttributes,
} from './endpoints.ts';
import { SnsError } from './errors.ts';
import type { Params } from './params.ts';
import { publish } from './publish.ts';
import type { XmlElements } from './xml.ts';

/** Does what the call asks; gives the content of `<ActionResult>`, if the action has one, or throws an `SnsError`. */
export type Action = (params: Params, context: Context) => XmlElements | undefined;

export const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['CreatePlatformApplication', createPlatformApplication],
  ['CreatePlatformEndpoint', createPlatformEndpoint],
  ['DeleteEndpoint', deleteEndpoint],
  ['GetEndpointAttributes', getEndpointAttributes],
  ['GetPlatformApplicationAttributes', getPlatformApplicationAttributes],
  ['ListEndpointsByPlatformApplication', listEndpointsByPlatformApplication],
  ['Publish', publish],
  ['SetEndpointAttributes', setEndpointAttributes],
  ['SetPlatformApplicationAttributes', setPlatformApplicationAttributes],
]);

const VERSION = '2010-03-31';

/** The action that the call names. */
export function findAction(params: Params): { name: string; run: Action } {
  const name = params.get('Action');
  if (!name)
    throw new SnsError('MissingAction', 'The request is missing an Action: a form-encoded body is expected.');
  const version = params.get('Version') ?? 'NO_VERSION_SPECIFIED';
  const run = version === VERSION && ACTIONS.get(name);
  if (!run) throw new SnsError('InvalidAction', `Could not find operation ${name} for version ${version}`);
  return { name, run };
}
