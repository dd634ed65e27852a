import type { SnsError } from './errors.ts';

/** Elements by name, in order. An array repeats its element. */
export interface XmlElements {
  [name: string]: XmlValue | XmlValue[];
}
type XmlValue = string | XmlElements;

const NAMESPACE = 'http://sns.amazonaws.com/doc/2010-03-31/';

/** A successful answer. Actions without a result have only the metadata. */
export function responseXml(action: string, result: XmlElements | undefined, requestId: string): string {
  return document(`${action}Response`, {
    ...(result && { [`${action}Result`]: result }),
    ResponseMetadata: { RequestId: requestId },
  });
}

/** An error answer. AWS blames the sender for 4xx and itself, the receiver, for 5xx. */
export function errorXml(error: Pick<SnsError, 'code' | 'message' | 'status'>, requestId: string): string {
  const type = error.status >= 500 ? 'Receiver' : 'Sender';
  return document('ErrorResponse', {
    Error: { Type: type, Code: error.code, Message: error.message },
    RequestId: requestId,
  });
}

/** SNS's form of a map: one `entry` with `key` and `value` for each. */
export function mapEntries(map: Record<string, string>): XmlElements {
  return { entry: Object.entries(map).map(([key, value]) => ({ key, value })) };
}

function document(root: string, content: XmlElements): string {
  return `<${root} xmlns="${NAMESPACE}">\n${render(content, '  ')}</${root}>\n`;
}

function render(elements: XmlElements, indent: string): string {
  return Object.entries(elements)
    .flatMap(([name, value]) => [value].flat().map((one) => element(name, one, indent)))
    .join('');
}

function element(name: string, value: XmlValue, indent: string): string {
  if (typeof value === 'string') return `${indent}<${name}>${escapeText(value)}</${name}>\n`;
  const content = render(value, `${indent}  `);
  return content ? `${indent}<${name}>\n${content}${indent}</${name}>\n` : `${indent}<${name}/>\n`;
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#xD;');
}
