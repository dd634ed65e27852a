import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { State } from '../../tools/fakes/sns/state.ts';
import { daily } from '../conformance/scenarios/reminders.ts';
import { checkDelivery, historiesOf, inboxes, newCrowd } from '../conformance/support/crowds.ts';
import type { Running } from '../conformance/support/processes.ts';
import { newWorld } from '../conformance/support/worlds.ts';
import { eventually } from '../support/eventually.ts';
import { newTarget } from './target.ts';

const members = 10;
const minuteMs = 60_000;
const zone = 'Asia/Kathmandu';
const due = Math.ceil(Date.now() / minuteMs) * minuteMs + 60 * minuteMs;

/** A file system of its own, of 16 MB. Undefined where the machine lets nobody mount one. */
function mountDisk() {
  const folder = mkdtempSync('/var/tmp/fieldbell-disk-');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    /** Writes a file until not even a byte is left. */
    fill() {
      mkdirSync(filler);
      for (const bytes of [1024 * 1024, 64 * 1024, 4096, 1])
        for (let n = 0; ; n++)
          try {
            writeFileSync(join(filler, `${bytes}-${n}`), new Uint8Array(bytes));
          } catch {
            break;
          }
    },
    empty: () => rmSync(filler, { recursive: true }),
    unmount() {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** The relay accepts the first push, and at this moment the disk is full: no record can be faster. */
function fillAtFirstPush(disk: { fill(): void }) {
  const { addPush } = State.prototype;
  vi.spyOn(State.prototype, 'addPush').mockImplementationOnce(function (this: State, push) {
    disk.fill();
    addPush.call(this, push);
  });
}

const probe = mountDisk();
probe?.unmount();

test.runIf(probe)(
  'on a full disk the service pushes each reminder once, and once more after it was killed, when there is room again',
  async () => {
    const disk = mountDisk();
    if (!disk) throw new Error('no disk');
    const target = await newTarget('node');
    const variables = { FIELDBELL_DB: join(disk.folder, 'fieldbell.db') };
    const started: Running[] = [];
    const start = (at: number) => {
      const running = target.spawn(at, { variables });
      started.push(running);
      return running;
    };
    const world = newWorld(target);
    const pushes = () => target.sns.inbox.list().length;
    const causes = async () => (await world.send('/health/ready')).body.causes as string[];
    try {
      const preparing = start(due - 30 * minuteMs);
      await target.ready(preparing);
      const crowd = await newCrowd(world, members, zone);
      await crowd.owner.patch(`/survey/${crowd.survey}`, { reminders: daily(due, 'rolling', 'Sleep diary') });
      await eventually('all planned', async () =>
        (await historiesOf(crowd)).every((history) => history.length === 1),
      );
      expect(await causes()).not.toContain('database');
      expect(await preparing.end('SIGTERM')).toBe(0);

      fillAtFirstPush(disk);
      const first = start(due - 300);
      await target.ready(first);
      await eventually('all are pushed', async () => pushes() === members);
      await first.line(/failed".*disk is full/);
      await first.line(/"event":"writes.refused"/);
      expect(await causes()).toContain('database');
      const refused = await crowd.owner.post(`/investigation/${crowd.investigation}/case`, {
        label: 'Night',
      });
      expect([refused.status, refused.body.code]).toEqual([503, 'database.overloaded']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await crowd.owner.get(`/investigation/${crowd.investigation}/cases`)).status).toBe(200);
      await first.end('SIGKILL');
      expect(pushes()).toBe(members);

      const last = start(due + minuteMs);
      await target.ready(last);
      await last.line(/"event":"writes.refused"/);
      expect(await causes()).toContain('database');
      expect(pushes()).toBe(members);

      disk.empty();
      await last.line(/"event":"writes.taken"/);
      await eventually('all are recorded', async () =>
        (await historiesOf(crowd)).every((history) => history.some(({ state }) => state === 'sent')),
      );
      const [histories, arrived] = [await historiesOf(crowd), await inboxes(crowd)];
      const repeated = histories.flatMap((history, n) => checkDelivery(history, arrived[n] ?? []));
      expect(new Set(repeated).size).toBe(repeated.length);
      expect(pushes()).toBe(members + repeated.length);
      expect(await causes()).not.toContain('database');
      const taken = await crowd.owner.post(`/investigation/${crowd.investigation}/case`, { label: 'Night' });
      expect(taken.status).toBe(201);
      expect(await last.end('SIGTERM')).toBe(0);
    } finally {
      await Promise.all(started.map((running) => running.end('SIGKILL')));
      await target.dispose();
      disk.unmount();
    }
  },
);
