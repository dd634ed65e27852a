import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { findAction } from './actions.ts';
import type { Context } from './context.ts';
import { InputError, SnsError, statusOf } from './errors.ts';
import type { Device, Fault } from './faults.ts';
import { readBody } from './http.ts';
import { type Params, readParams } from './params.ts';
import { verifySignature } from './sigv4.ts';
import type { State } from './state.ts';
import { errorXml, responseXml } from './xml.ts';

type Answer = { status: number; body: string; type: string } | 'reset';

/** A message of 256 KB may be three times as long once it is percent-encoded. */
const MAX_BODY_BYTES = 1_048_576;
const ERROR_PAGE =
  '<!doctype html>\n<title>503 Service Unavailable</title>\n<h1>503 Service Unavailable</h1>\n';

/** Answers a call of the query protocol: checks its signature, meets with the faults asked for, carries it out. */
export async function answerQuery(
  request: IncomingMessage,
  response: ServerResponse,
  context: Context,
): Promise<void> {
  const requestId = randomUUID();
  const answer = await carryOut(request, context, requestId).catch((error) => {
    const known = asSnsError(error);
    return xml(known.status, errorXml(known, requestId));
  });
  if (answer === 'reset') {
    request.socket.resetAndDestroy();
    return;
  }
  response.writeHead(answer.status, {
    'content-type': answer.type,
    'content-length': Buffer.byteLength(answer.body),
    'x-amzn-requestid': requestId,
  });
  response.end(answer.body);
}

async function carryOut(request: IncomingMessage, context: Context, requestId: string): Promise<Answer> {
  const params = await readCall(request, context);
  const { name, run } = findAction(params);
  const call = (): Answer => xml(200, responseXml(name, run(params, context), requestId));

  const device = deviceOf(params, context.state);
  const fault = context.faults.take(name, device);
  if (!fault) return call();
  if (fault.delayMs > 0) await delay(fault.delayMs, undefined, { signal: context.closing });
  const error = errorOf(fault, device, context.state);
  switch (fault.kind) {
    case 'accepted-then-reset':
      call();
      return 'reset';
    case 'reset':
      return 'reset';
    case 'html':
      return { status: fault.status ?? 503, body: ERROR_PAGE, type: 'text/html' };
    case 'truncated-xml': {
      const whole = error ? errorXml(error, requestId) : responseXml(name, undefined, requestId);
      return xml(fault.status ?? error?.status ?? 200, whole.slice(0, whole.length / 2));
    }
    case null:
      if (error) throw error;
      return call();
  }
}

async function readCall(request: IncomingMessage, context: Context): Promise<Params> {
  const body = await readBody(request, MAX_BODY_BYTES);
  const { method = '', url = '', headers } = request;
  verifySignature({ method, url, headers, body }, context.credentials, context.now());
  // Other types are not read, as at AWS, so that a client that forgets to name its type finds out here.
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  return isForm ? readParams(body) : new Map();
}

function deviceOf(params: Params, state: State): Device {
  const endpointArn = params.get('TargetArn') ?? params.get('EndpointArn');
  const token = params.get('Token') ?? state.endpoints.get(endpointArn ?? '')?.token;
  return { token, endpointArn };
}

/** The error of a fault. `EndpointDisabled` comes true: AWS says it of an endpoint that it has disabled. */
function errorOf({ code, status }: Fault, { endpointArn }: Device, state: State): SnsError | undefined {
  if (code === null) return undefined;
  const endpoint = state.endpoints.get(endpointArn ?? '');
  if (code === 'EndpointDisabled' && endpoint) state.putEndpoint({ ...endpoint, enabled: false });
  const message = code === 'EndpointDisabled' ? 'Endpoint is disabled' : `${code}, as asked for at /faults`;
  return new SnsError(code, message, status ?? statusOf(code));
}

function xml(status: number, body: string): Answer {
  return { status, body, type: 'text/xml' };
}

function asSnsError(error: unknown): SnsError {
  if (error instanceof SnsError) return error;
  if (error instanceof InputError) return new SnsError('RequestEntityTooLarge', error.message, error.status);
  // Closing aborts what a fault delays. Nobody is listening any more.
  if (!(error instanceof Error && error.name === 'AbortError')) console.error(error);
  return new SnsError('InternalFailure', 'The local SNS failed: see its output.');
}
