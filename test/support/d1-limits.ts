/** Statements that D1 refuses (Cloudflare, "D1 limits"). The tests refuse them too, where the local D1 does not. */
export const d1Limits = {
  parameters: 100,
  textBytes: 100_000,
  valueBytes: 2_000_000,
  /** Of one invocation of a Worker. Those of a batch count one by one. */
  statements: 1_000,
  compoundTerms: 5,
  /** Depth of an expression. A chain of terms with AND, OR or || is as deep as it is long. */
  depth: 100,
} as const;

/** A statement that would fail on D1. It is a mistake in the program, whatever the database at hand. */
export class DatabaseLimitError extends Error {
  override readonly name = 'DatabaseLimitError';
}

/** @throws DatabaseLimitError */
export function checkStatement(sql: string, values: readonly unknown[]): void {
  if (values.length > d1Limits.parameters) throw refusal(values.length, 'bound parameters', 'parameters');
  for (const value of values) {
    const bytes = typeof value === 'string' ? bytesOf(value) : blobBytes(value);
    if (bytes > d1Limits.valueBytes) throw refusal(bytes, 'bytes in one value', 'valueBytes');
  }
  checkText(sql);
}

/** @throws DatabaseLimitError when one invocation has put more statements to D1 than it may */
export function checkStatements(count: number): void {
  if (count > d1Limits.statements) throw refusal(count, 'statements of one invocation', 'statements');
}

/** A BLOB is bound as a buffer, a view of one, or a list of bytes. */
function blobBytes(value: unknown): number {
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength;
  return Array.isArray(value) ? value.length : 0;
}

/** The texts are few, since values are bound: each is looked at once. */
const passed = new Set<string>();
const mostRemembered = 2_000;

/** Partial indexes have the same comparison with a constant. */
const likeOfPartialIndex =
  /(?:where|and|or|on|\() *"?(?:\w+"?\."?)?(?:(?:enabled|status|kind)"? =|role"? <>) \?/i;

function checkText(sql: string) {
  if (passed.has(sql)) return;
  if (/\blimit \?/i.test(sql) || likeOfPartialIndex.test(sql))
    throw new DatabaseLimitError('SQLite compiles it again at each call: see compiledOnce.');
  if (bytesOf(sql) > d1Limits.textBytes) throw refusal(bytesOf(sql), 'bytes of SQL', 'textBytes');
  const { terms, depth } = measure(sql);
  if (terms > d1Limits.compoundTerms) throw refusal(terms, 'terms of a compound SELECT', 'compoundTerms');
  if (depth > d1Limits.depth) throw refusal(depth, 'levels of an expression', 'depth');
  if (passed.size >= mostRemembered) passed.clear();
  passed.add(sql);
}

const token =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\/|[(),]|\|\||\b(?:and|or|between|union|intersect|except)\b/gi;

/** A comparison of two leaves, under the chain of operators that joins it to others. */
const leafDepth = 2;

/** The longest compound SELECT and the deepest chain of operators, of a text that SQLite can parse. */
function measure(sql: string) {
  let terms = 1;
  let depth = 0;
  const open = [{ operators: 0, terms: 1, between: false }];
  for (const [found] of sql.matchAll(token)) {
    const level = open.at(-1);
    if (!level) break;
    if (found === '(') open.push({ operators: 0, terms: 1, between: false });
    else if (found === ')') open.pop();
    else if (found === ',') level.operators = 0;
    else if (/^(?:union|intersect|except)$/i.test(found)) {
      level.operators = 0;
      level.terms += 1;
    } else if (/^between$/i.test(found)) level.between = true;
    else if (/^and$/i.test(found) && level.between) level.between = false;
    else if (/^(?:and|or|\|\|)$/i.test(found)) level.operators += 1;
    terms = Math.max(terms, level.terms);
    depth = Math.max(depth, leafDepth + open.reduce((sum, { operators }) => sum + operators, 0));
  }
  return { terms, depth };
}

const encoder = new TextEncoder();

/** A character has at most three bytes for each unit of UTF-16. */
const bytesOf = (text: string) =>
  text.length * 3 <= d1Limits.textBytes ? text.length : encoder.encode(text).length;

const refusal = (found: number, what: string, limit: keyof typeof d1Limits) =>
  new DatabaseLimitError(`${found} ${what}: expected at most ${d1Limits[limit]}, which is what D1 takes.`);
