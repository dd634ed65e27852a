import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type ActionName, actions } from './actions.ts';
import { type Device, type Fault, takeFault } from './faults.ts';
import { type Call, errorXml, resultXml, SnsError } from './protocol.ts';
import { type Credentials, verifySignature } from './sigv4.ts';
import type { State } from './state.ts';

type Params = Call['params'];

/** A running server. */
export interface Context {
  state: State;
  /** In the order in which they were asked for. */
  faults: Fault[];
  credentials: Credentials;
  /** Epoch ms. */
  now: () => number;
  /** Aborted when the server closes: delays end, and the delayed calls are not carried out. */
  closing: AbortSignal;
}

/** A message of 256 KB may be three times as long once it is percent-encoded. */
const maxBodyBytes = 1_048_576;
const version = '2010-03-31';
const errorPage =
  '<!doctype html>\n<title>503 Service Unavailable</title>\n<h1>503 Service Unavailable</h1>\n';

/** Answers a call of the query protocol. */
export async function answerQuery(request: IncomingMessage, response: ServerResponse, context: Context) {
  const { state, faults, closing } = context;
  const requestId = randomUUID();
  const answer = (status: number, text: string, type = 'text/xml') => {
    response.statusCode = status;
    response.setHeader('content-type', type).setHeader('x-amzn-requestid', requestId).end(text);
  };
  const reset = () => request.socket.resetAndDestroy();
  try {
    const body = await bodyOf(request);
    if (body.length > maxBodyBytes)
      throw new SnsError('RequestEntityTooLarge', 'The body is too large.', 413);
    const { name, params, run } = readCall(request, body, context);
    const carryOut = () => resultXml(name, run(), requestId);
    const device = deviceOf(params, state);
    const fault = takeFault(faults, name, device);
    if (!fault) return answer(200, carryOut());

    if (fault.delayMs > 0) await delay(fault.delayMs, undefined, { signal: closing });
    const error = errorOf(fault, device, state);
    if (fault.kind === 'reset') return reset();
    if (fault.kind === 'html') return answer(fault.status ?? 503, errorPage, 'text/html');
    if (fault.kind === 'truncated-xml') {
      const whole = error ? errorXml(error, requestId) : resultXml(name, undefined, requestId);
      return answer(fault.status ?? error?.status ?? 200, whole.slice(0, whole.length / 2));
    }
    if (error) throw error;
    const xml = carryOut();
    return fault.kind === 'accepted-then-reset' ? reset() : answer(200, xml);
  } catch (error) {
    if (error instanceof SnsError) return answer(error.status, errorXml(error, requestId));
    // Closing the server aborts delayed calls.
    if (closing.aborted) return reset();
    console.error(error);
    answer(500, errorXml(new SnsError('InternalFailure', 'See the output of the local SNS.'), requestId));
  }
}

/** Reads a call that is signed. `run` carries it out. @throws SnsError */
export function readCall(
  request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  body: Buffer,
  { state, credentials, now }: Pick<Context, 'state' | 'credentials' | 'now'>,
) {
  verifySignature(request, body, credentials, now());
  const params = readParams(request, body);
  const name = readAction(params);
  return {
    name,
    params,
    run: () => actions[name]({ params, state, now: now() }),
  };
}

/** The body of a request. By events: `toArray` takes a tenth of a push's time. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  await once(request, 'end');
  return Buffer.concat(chunks);
}

/** AWS reads no other type either, so that a client that forgets to name its type finds out here. */
function readParams({ headers }: Pick<IncomingMessage, 'headers'>, body: Buffer): Params {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  return new Map(isForm ? new URLSearchParams(body.toString()) : []);
}

function readAction(params: Params): ActionName {
  const name = params.get('Action');
  if (!name)
    throw new SnsError('MissingAction', 'The request is missing an Action: a form-encoded body is expected.');
  const requested = params.get('Version') ?? 'NO_VERSION_SPECIFIED';
  if (requested === version && Object.hasOwn(actions, name)) return name as ActionName;
  throw new SnsError('InvalidAction', `Could not find operation ${name} for version ${requested}`);
}

function deviceOf(params: Params, { endpoints }: State): Device {
  const endpointArn = params.get('TargetArn') ?? params.get('EndpointArn');
  return { token: params.get('Token') ?? endpoints.get(endpointArn ?? '')?.token, endpointArn };
}

/** AWS says `EndpointDisabled` of an endpoint that it has disabled, so the fault disables it. */
function errorOf({ code, status }: Fault, { endpointArn }: Device, state: State): SnsError | undefined {
  if (code === null) return undefined;
  const endpoint = state.endpoints.get(endpointArn ?? '');
  if (code === 'EndpointDisabled' && endpoint) state.putEndpoint({ ...endpoint, enabled: false });
  const message = code === 'EndpointDisabled' ? 'Endpoint is disabled' : `${code}, as asked for at /faults`;
  return new SnsError(code, message, status ?? undefined);
}
