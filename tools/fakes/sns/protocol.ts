import type { State } from './state.ts';

/** A call of AWS's query protocol, and what its action works on. */
export interface Call {
  params: ReadonlyMap<string, string>;
  state: State;
  /** Epoch ms. */
  now: number;
}

/** Elements by name, in order. An array repeats its element. */
export interface Xml {
  [name: string]: string | Xml | Xml[];
}

/** The HTTP statuses of error codes. All others are 400. */
const statuses = {
  403: /^(AuthorizationError|ExpiredToken|InvalidClientTokenId|MissingAuthenticationToken|SignatureDoesNotMatch)$/,
  404: /^NotFound$/,
  429: /^Throttled$/,
  500: /^Internal(Error|Failure)$/,
  503: /^ServiceUnavailable$/,
};
/** The HTTP status of an error code. */
export const statusOf = (code: string) =>
  Number(Object.entries(statuses).find(([, codes]) => codes.test(code))?.[0] ?? 400);

/** An error of the query protocol. */
export class SnsError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = statusOf(code)) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export const invalidParameter = (reason: string) =>
  new SnsError('InvalidParameter', `Invalid parameter: ${reason}`);

export function required({ params }: Call, name: string): string {
  const value = params.get(name);
  if (value !== undefined) return value;
  const member = name.charAt(0).toLowerCase() + name.slice(1);
  const constraint = `Value null at '${member}' failed to satisfy constraint: Member must not be null`;
  throw new SnsError('ValidationError', `1 validation error detected: ${constraint}`);
}

/** The map sent as `<name>.entry.1.<key>`, `<name>.entry.1.<value>`, `<name>.entry.2.<key>` and so on. */
export function readMap(call: Call, name: string, key = 'key', value = 'value'): Record<string, string> {
  const map: Record<string, string> = {};
  for (let n = 1; call.params.has(`${name}.entry.${n}.${key}`); n++)
    map[required(call, `${name}.entry.${n}.${key}`)] = required(call, `${name}.entry.${n}.${value}`);
  return map;
}

export const mapXml = (map: Record<string, string>): Xml => ({
  entry: Object.entries(map).map(([key, value]) => ({ key, value })),
});

/** A successful answer. Actions without a result have only the metadata. */
export const resultXml = (action: string, result: Xml | undefined, requestId: string) =>
  document(`${action}Response`, {
    ...(result && { [`${action}Result`]: result }),
    ResponseMetadata: { RequestId: requestId },
  });

/** An error answer. AWS blames the sender for 4xx and itself, the receiver, for 5xx. */
export const errorXml = ({ code, message, status }: SnsError, requestId: string) =>
  document('ErrorResponse', {
    Error: { Type: status >= 500 ? 'Receiver' : 'Sender', Code: code, Message: message },
    RequestId: requestId,
  });

const document = (root: string, content: Xml) =>
  `<${root} xmlns="http://sns.amazonaws.com/doc/2010-03-31/">\n${render(content, '  ')}</${root}>\n`;

function render(elements: Xml, indent: string): string {
  return Object.entries(elements)
    .flatMap(([name, value]) => [value].flat().map((one) => element(name, one, indent)))
    .join('');
}

function element(name: string, value: string | Xml, indent: string): string {
  if (typeof value === 'string') return `${indent}<${name}>${escapeText(value)}</${name}>\n`;
  const content = render(value, `${indent}  `);
  return content ? `${indent}<${name}>\n${content}${indent}</${name}>\n` : `${indent}<${name}/>\n`;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#xD;',
};

const escapeText = (text: string) => text.replace(/[&<>"\r]/g, (character) => entities[character] as string);
