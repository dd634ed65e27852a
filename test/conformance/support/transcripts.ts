import type { Answer } from '../../support/people.ts';

/** One answer, with all that must differ from run to run masked. */
export interface Entry {
  request: string;
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/**
 * Headers that belong to the server and not to the application. All else must agree, and so must all bodies:
 * `date`: Cloudflare's edge adds it, the local workerd does not. `connection`, `keep-alive`, `transfer-encoding` and
 * `content-length` tell how the bytes travel. `vary`: Deno adds it to what it might compress.
 */
export const serverHeaders = new Set([
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'vary',
]);

/** The answers of one scenario on one runtime, in order. */
export class Transcript {
  readonly entries: Entry[] = [];
  readonly #identifiers = new Map<string, string>();
  #paused: boolean;

  constructor({ recording = true } = {}) {
    this.#paused = !recording;
  }

  add(request: string, { status, headers, text, body }: Answer): void {
    if (this.#paused) return;
    this.entries.push({
      request: this.#text(request),
      status,
      headers: Object.fromEntries(
        [...headers]
          .filter(([name]) => !serverHeaders.has(name))
          .map(([name, value]) => [name, name === 'x-request-id' ? '<request>' : this.#text(value)]),
      ),
      body: this.#mask(body === undefined ? text : body, ''),
    });
  }

  /** Notes something else that the runtimes must agree on. */
  note(what: string, value: unknown): void {
    this.entries.push({ request: what, status: 0, headers: {}, body: this.#mask(value, '') });
  }

  /** For work whose number of requests depends on time: its answers are not kept. */
  async aside<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#paused;
    this.#paused = true;
    try {
      return await work();
    } finally {
      this.#paused = before;
    }
  }

  #mask(value: unknown, key: string): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#mask(one, key));
    if (value !== null && typeof value === 'object')
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [this.#text(name), this.#mask(inner, name)]),
      );
    if (typeof value === 'number') return seconds.has(key) ? '<seconds>' : value;
    if (typeof value !== 'string') return value;
    if (key === 'next') return '<cursor>';
    if (key === 'hash' || key === 'head') return '<hash>';
    if (key === 'b64Identifier') return '<base64>';
    if (key === 'messageId') return '<message>';
    if (key === 'local' && isOfTheseDays(value)) return '<local>';
    return this.#text(value);
  }

  /** Identifiers are numbered in the order in which they appear, so that who is meant must agree too. */
  #text(text: string): string {
    return text
      .replace(/\b[0-9a-f]{32}\b/g, (found) => {
        const known = this.#identifiers.get(found) ?? `<${this.#identifiers.size + 1}>`;
        this.#identifiers.set(found, known);
        return known;
      })
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
      .replace(/\b\d{4}-\d\d-\d\d\b/g, '<date>')
      .replace(/\b[A-Za-z0-9+/]{22}==/g, '<base64>')
      .replace(/cursor=[\w-]+/g, 'cursor=<cursor>')
      .replace(/\b[1-9]\d{9}\b/g, '<seconds>')
      .replace(/\b([01]\d|2[0-3]):[0-5]\d\b/g, '<minute>')
      .replace(/W\/"[0-9a-f]{40}"/g, 'W/"<digest>"')
      .replace(/hsl\(\d+/g, 'hsl(<hue>')
      .replace(/"\d{1,2} \d{1,2} \* \* \*"|^\d{1,2} \d{1,2} \* \* \*$/g, '<daily>');
  }
}

/** Of a minute that each runtime comes to by itself, even on another day. */
const isOfTheseDays = (local: string) => Math.abs(Date.parse(local) - Date.now()) < 30 * 86_400_000;

const seconds = new Set(['revisionUNIX', 'revisionDate', 'editedAt']);
