import { invalidParameter } from './errors.ts';
import { entryNumbers, mapOf, type Params, required } from './params.ts';

interface Rule {
  expected: string;
  accepts: (value: string) => boolean;
}

const PUSH_TYPES = [
  'alert',
  'background',
  'complication',
  'controls',
  'fileprovider',
  'liveactivity',
  'location',
  'mdm',
  'pushtotalk',
  'voip',
  'widgets',
];
const MAX_COLLAPSE_ID_BYTES = 64;

const seconds = (max: number): Rule => ({
  expected: `a whole number of seconds from 0 to ${max}`,
  accepts: (value) => /^\d{1,10}$/.test(value) && Number(value) <= max,
});
const oneOf = (values: string[]): Rule => ({
  expected: `one of ${values.join(', ')}`,
  accepts: (value) => values.includes(value),
});

/** Four weeks is the longest that FCM keeps a push. */
const FCM_TTL = seconds(4 * 7 * 24 * 3600);
const APNS_TTL = seconds(2 ** 31 - 1);

const RULES = new Map<string, Rule>([
  ['AWS.SNS.MOBILE.FCM.TTL', FCM_TTL],
  ['AWS.SNS.MOBILE.GCM.TTL', FCM_TTL],
  ['AWS.SNS.MOBILE.APNS.TTL', APNS_TTL],
  ['AWS.SNS.MOBILE.APNS_SANDBOX.TTL', APNS_TTL],
  ['AWS.SNS.MOBILE.APNS.PRIORITY', oneOf(['5', '10'])],
  ['AWS.SNS.MOBILE.APNS.PUSH_TYPE', oneOf(PUSH_TYPES)],
  [
    'AWS.SNS.MOBILE.APNS.COLLAPSE_ID',
    {
      expected: `1 to ${MAX_COLLAPSE_ID_BYTES} bytes`,
      accepts: (value) => value !== '' && Buffer.byteLength(value) <= MAX_COLLAPSE_ID_BYTES,
    },
  ],
  [
    'AWS.SNS.MOBILE.APNS.TOPIC',
    { expected: 'a bundle identifier', accepts: (value) => /^[\w.-]+$/.test(value) },
  ],
]);
const RESERVED = /^AWS\.SNS\.MOBILE\.(APNS|APNS_SANDBOX|FCM|GCM)\./;

/** Reads and checks `MessageAttributes.entry.N.{Name, Value.DataType, Value.StringValue}`: name to string value. */
export function readMessageAttributes(params: Params): Record<string, string> {
  for (const number of entryNumbers(params, 'MessageAttributes')) {
    const type = required(params, `MessageAttributes.entry.${number}.Value.DataType`);
    if (/^(String|Number)(\.|$)/.test(type)) continue;
    throw invalidParameter(
      `MessageAttributes Reason: DataType ${type} is not one of String, String.Array and Number`,
    );
  }
  const attributes = mapOf(params, 'MessageAttributes', 'Name', 'Value.StringValue');
  for (const [name, value] of Object.entries(attributes)) checkAttribute(name, value);
  return attributes;
}

function checkAttribute(name: string, value: string): void {
  if (!/^[\w.-]{1,256}$/.test(name)) {
    throw invalidParameter(
      `MessageAttributes Reason: ${name} is not a name of letters, digits, "_", "-" and "."`,
    );
  }
  const rule = RULES.get(name);
  // A misspelt name would otherwise do nothing, silently, at AWS as here.
  if (!rule && RESERVED.test(name)) {
    throw invalidParameter(`MessageAttributes Reason: ${name} is not an attribute of SNS`);
  }
  if (rule && !rule.accepts(value)) {
    throw invalidParameter(`MessageAttributes Reason: ${name} must be ${rule.expected}, not '${value}'`);
  }
}
