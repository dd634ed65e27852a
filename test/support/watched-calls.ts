/** A call that was given a long input. */
export interface LongInput {
  /** Such as `String.prototype.normalize`. */
  call: string;
  characters: number;
  /** The frames of the code that called, nearest first. */
  from: string[];
}

type Method = (this: unknown, ...parts: unknown[]) => unknown;

const textMethods = [
  ...['normalize', 'toLowerCase', 'toUpperCase', 'toLocaleLowerCase', 'toLocaleUpperCase', 'localeCompare'],
  ...['replace', 'replaceAll', 'split', 'match', 'matchAll', 'search', 'trim', 'trimStart', 'trimEnd'],
  ...['isWellFormed', 'toWellFormed'],
];
const patternMethods = [
  ...['exec', 'test', 'compile'],
  ...[Symbol.match, Symbol.matchAll, Symbol.replace, Symbol.search, Symbol.split],
];
const globals = [
  'atob',
  'btoa',
  'decodeURIComponent',
  'decodeURI',
  'encodeURIComponent',
  'encodeURI',
  'escape',
];

/** Objects of the language and of the platform, with the methods that read, transform or decode. */
const watched: [name: string, owner: object, methods: (string | symbol)[]][] = [
  ['String.prototype', String.prototype, textMethods],
  ['RegExp.prototype', RegExp.prototype, patternMethods],
  ['', globalThis, [...globals, 'structuredClone', 'parseInt', 'parseFloat']],
  ['JSON', JSON, ['parse']],
  ['Date', Date, ['parse']],
  ['Number', Number, ['parseInt', 'parseFloat']],
  ['URL', URL, ['parse', 'canParse']],
  ['Buffer', Buffer, ['from', 'byteLength']],
  ['TextEncoder.prototype', TextEncoder.prototype, ['encode', 'encodeInto']],
  ['TextDecoder.prototype', TextDecoder.prototype, ['decode']],
  ['SubtleCrypto.prototype', SubtleCrypto.prototype, ['digest', 'sign', 'verify', 'importKey', 'decrypt']],
  ['Intl', Intl, ['getCanonicalLocales']],
  ['Intl.Collator.prototype', Intl.Collator.prototype, ['compare']],
  ['Intl.Segmenter.prototype', Intl.Segmenter.prototype, ['segment']],
];

const constructors: [name: string, owner: object][] = [
  ...['Date', 'RegExp', 'URL', 'URLSearchParams'].map((name): [string, object] => [name, globalThis]),
  ...['Collator', 'DateTimeFormat', 'Locale', 'NumberFormat', 'Segmenter'].map((name): [string, object] => [
    name,
    Intl,
  ]),
];

/** Does something, and lists the calls meanwhile that were given more than `most` characters with the mark in them. */
export async function longInputs(
  { mark, most }: { mark: string; most: number },
  work: () => Promise<unknown>,
): Promise<LongInput[]> {
  const found: LongInput[] = [];
  // Looking calls some of them itself.
  let isLooking = false;
  const look = (call: string, inputs: readonly unknown[]) => {
    if (isLooking) return;
    isLooking = true;
    for (const input of inputs) {
      const characters = lengthOf(input, mark);
      if (characters > most) found.push({ call, characters, from: framesOf(new Error()) });
    }
    isLooking = false;
  };
  const restore = [
    ...watched.flatMap(([name, owner, methods]) => methods.map((key) => watchMethod(look, name, owner, key))),
    ...constructors.map(([name, owner]) => watchConstructor(look, name, owner)),
  ];
  try {
    await work();
  } finally {
    for (const one of restore) one();
  }
  return found;
}

type Look = (call: string, inputs: readonly unknown[]) => void;

function watchMethod(look: Look, name: string, owner: object, key: string | symbol): () => void {
  const own = Object.getOwnPropertyDescriptor(owner, key);
  if (!own || typeof own.value !== 'function') return () => {};
  const method = own.value as Method;
  const call = [name, typeof key === 'symbol' ? `[${key.description}]` : key].filter(Boolean).join('.');
  const value = function (this: unknown, ...parts: unknown[]) {
    look(call, typeof this === 'string' ? [this, ...parts] : parts);
    return method.apply(this, parts);
  };
  Object.defineProperty(owner, key, { ...own, value });
  return () => Object.defineProperty(owner, key, own);
}

function watchConstructor(look: Look, name: string, owner: object): () => void {
  const own = Object.getOwnPropertyDescriptor(owner, name) as PropertyDescriptor;
  const built = owner === Intl ? `Intl.${name}` : name;
  type Constructor = new (...parts: unknown[]) => object;
  const value: Constructor = new Proxy(own.value as Constructor, {
    construct(target, parts, newTarget): object {
      look(`new ${built}`, parts);
      return Reflect.construct(target, parts, newTarget === value ? target : newTarget);
    },
  });
  Object.defineProperty(owner, name, { ...own, value });
  return () => Object.defineProperty(owner, name, own);
}

/** Characters or bytes of an input that has the mark in it, or whose values have; 0 otherwise. */
function lengthOf(input: unknown, mark: string): number {
  if (typeof input === 'string') return input.includes(mark) ? input.length : 0;
  if (typeof input !== 'object' || input === null) return 0;
  if (ArrayBuffer.isView(input) || input instanceof ArrayBuffer) {
    const whole = ArrayBuffer.isView(input) ? input : new Uint8Array(input);
    const bytes = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength);
    return bytes.includes(mark) ? bytes.length : 0;
  }
  return Math.max(
    0,
    ...Object.values(input).map((one) => (typeof one === 'string' ? lengthOf(one, mark) : 0)),
  );
}

const framesOf = ({ stack = '' }: Error): string[] =>
  stack
    .split('\n')
    .slice(1)
    .filter((line) => !/watched-calls|node:internal|<anonymous>|\(native\)/.test(line))
    .map((line) => line.replace(/^.*?([^/]+(?:\/[^/]+){2}):\d+:\d+\)?$/, '$1'))
    .slice(0, 4);
