import { readdirSync, readFileSync } from 'node:fs';

/** The kernel's clock ticks, in which it counts processor time (proc(5)). Always 100 on Linux. */
const ticksPerSecond = 100;

interface Stat {
  parent: number;
  seconds: number;
}

/**
 * Processor time of process trees so far, in seconds, user and system, those of children that have ended included. Null
 * where there is no /proc.
 */
export function cpuOf(heads: readonly number[]): number | null {
  const stats = readStats();
  if (!stats) return null;
  return treeOf(heads, stats).reduce((sum, pid) => sum + (stats.get(pid)?.seconds ?? 0), 0);
}

/**
 * The most memory that the processes of the trees ever held, in MB: the sum of their peaks, in which what they share
 * (PostgreSQL's buffers) counts once.
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

/** Fields 4 and 14 to 17 of every process's `stat`; its name, field 2, may hold spaces and parentheses. */
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
