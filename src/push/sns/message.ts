/** A message as SNS posts it to a subscribed address (Amazon SNS, "HTTP/HTTPS notification JSON format"). */
export interface SnsMessage {
  type: 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation';
  /** The same for each delivery of the message. */
  id: string;
  topic: string;
  text: string;
  /** Epoch ms. */
  at: number;
  /** Confirms the subscription; empty in a notification. */
  subscribeUrl: string;
  certificateUrl: string;
  signatureVersion: string;
  signature: string;
  /** The text that the signature covers. */
  signed: string;
}

const confirmation = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];

/** The fields that the signature covers, in this order (Amazon SNS, "Verifying the signatures of messages"). */
const signedNames: Record<SnsMessage['type'], readonly string[]> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: confirmation,
  UnsubscribeConfirmation: confirmation,
};

/** Parses a message without verifying it; undefined when it is malformed. */
export function parseMessage(body: string): SnsMessage | undefined {
  const fields = parseObject(body);
  if (!fields) return undefined;
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  const type = text('Type');
  const at = Date.parse(text('Timestamp'));
  if (!isType(type) || Number.isNaN(at)) return undefined;
  const names = signedNames[type].filter((name) => name !== 'Subject' || typeof fields.Subject === 'string');
  if (names.some((name) => typeof fields[name] !== 'string')) return undefined;
  return {
    type,
    id: text('MessageId'),
    topic: text('TopicArn'),
    text: text('Message'),
    at,
    subscribeUrl: text('SubscribeURL'),
    certificateUrl: text('SigningCertURL'),
    signatureVersion: text('SignatureVersion'),
    signature: text('Signature'),
    signed: names.map((name) => `${name}\n${text(name)}\n`).join(''),
  };
}

const isType = (type: string): type is SnsMessage['type'] => Object.hasOwn(signedNames, type);

/** Undefined when the text is not the JSON of an object. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
