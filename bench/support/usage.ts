import { readdirSync, readFileSync } from 'node:fs';

/** The kernel's unit of processor time (proc(5)); 100 on Linux. */
const ticksPerSecond = 100;

interface Stat {
  parent: number;
  seconds: number;
}

/**
 * Processor time of process trees so far, user and system, in seconds, ended children included. Null without /proc.
 */
export function cpuOf(heads: readonly number[]): number | null {
  const stats = readStats();
  if (!stats) return null;
  return treeOf(heads, stats).reduce((sum, pid) => sum + (stats.get(pid)?.seconds ?? 0), 0);
}

/**
 * Peak memory of process trees in MB: the sum of the peaks of their processes, with shared memory counted
 * once.
 */
export function peakMemoryOf(heads: readonly number[]): number | null {
  const stats = readStats();
  if (!stats) return null;
  const sizes = treeOf(heads, stats).map(memoryOf);
  const own = sizes.reduce((sum, { peak, shared }) => sum + Math.max(peak - shared, 0), 0);
  return Math.round((own + Math.max(...sizes.map(({ shared }) => shared), 0)) / 1024);
}

function treeOf(heads: readonly number[], stats: ReadonlyMap<number, Stat>): number[] {
  const tree = new Set(heads);
  let size = 0;
  while (size < tree.size) {
    size = tree.size;
    for (const [pid, { parent }] of stats) if (tree.has(parent)) tree.add(pid);
  }
  return [...tree];
}

/** Fields 4 and 14 to 17 of each `stat`. Field 2, the name, may contain spaces and parentheses. */
function readStats(): Map<number, Stat> | null {
  if (process.platform !== 'linux') return null;
  const stats = new Map<number, Stat>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const text = read(`/proc/${name}/stat`);
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    if (text) stats.set(Number(name), { parent: Number(fields[1]), seconds: ticks / ticksPerSecond });
  }
  return stats;
}

/** In kB. */
function memoryOf(pid: number) {
  const status = read(`/proc/${pid}/status`);
  const size = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return { peak: size('VmHWM'), shared: size('RssShmem') };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It has ended.
    return '';
  }
}
