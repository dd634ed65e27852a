import { EventEmitter } from 'node:events';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A phone, as SNS knows it. */
export interface Endpoint {
  arn: string;
  application: string;
  platform: string;
  token: string;
  enabled: boolean;
  customUserData: string;
}

/** One accepted publish, as `GET /inbox` shows it. */
export interface InboxEntry {
  /** ISO 8601 UTC with milliseconds. */
  at: string;
  endpointArn: string;
  platform: string;
  token: string;
  title: string | null;
  body: string | null;
  data: Record<string, unknown>;
  attributes: Record<string, string>;
  messageId: string;
}

/** A push replaces the one with the same collapse id on the phone's screen. */
export interface Push extends InboxEntry {
  collapseId: string | null;
}

export interface StateData {
  endpoints: Endpoint[];
  pushes: Push[];
}

/** Everything the server remembers. Emits each write as `change` with a name and what changed. */
export class State extends EventEmitter<{ change: [name: string, data: object] }> {
  /** ARNs of the platform applications. */
  readonly applications: ReadonlySet<string>;
  readonly endpoints = new Map<string, Endpoint>();
  pushes: Push[];

  constructor(
    { endpoints, pushes }: StateData = { endpoints: [], pushes: [] },
    applications: Iterable<string> = [],
  ) {
    super();
    // One listener per open page.
    this.setMaxListeners(0);
    this.applications = new Set(applications);
    for (const endpoint of endpoints) this.putEndpoint(endpoint);
    this.pushes = pushes;
  }

  putEndpoint(endpoint: Endpoint): undefined {
    this.endpoints.set(endpoint.arn, endpoint);
    this.emit('change', 'phone', phoneOf(endpoint));
  }

  deleteEndpoint(arn: string): undefined {
    if (this.endpoints.delete(arn)) this.emit('change', 'deleted', { arn });
  }

  /** A token is unique within its application, not beyond. */
  findByToken(application: string, token: string): Endpoint | undefined {
    return [...this.endpoints.values()].find((one) => one.token === token && one.application === application);
  }

  addPush(push: Push): void {
    this.pushes.push(push);
    this.emit('change', 'push', push);
  }

  clearPushes(): void {
    this.pushes = [];
    this.emit('change', 'cleared', {});
  }

  toJSON(): StateData {
    return { endpoints: [...this.endpoints.values()], pushes: this.pushes };
  }
}

/** The JSON form of an endpoint. */
export const phoneOf = ({ arn, platform, token, enabled }: Endpoint) => ({ arn, platform, token, enabled });

const version = 1;
const saveDelayMs = 250;

/** Restores the state that an earlier run left in the file, and keeps it there from now on. `close` writes the rest. */
export async function openStateFile(
  path: string,
  applications: Iterable<string>,
): Promise<{ state: State; close: () => Promise<void> }> {
  const state = new State(await readStateFile(path), applications);
  let timer: NodeJS.Timeout | undefined;
  let saved = Promise.resolve();

  const save = () => {
    timer = undefined;
    const text = JSON.stringify({ version, ...state.toJSON() });
    saved = saved
      .then(() => writeAtomically(path, text))
      .catch((error: Error) => console.error(`The local SNS cannot keep its state: ${error.message}`));
  };
  state.on('change', () => {
    timer ??= setTimeout(save, saveDelayMs);
  });
  return {
    state,
    close: () => {
      clearTimeout(timer);
      if (timer) save();
      return saved;
    },
  };
}

async function readStateFile(path: string): Promise<StateData | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    const data = JSON.parse(text);
    if (data.version === version) return data;
  } catch {
    // Told below.
  }
  throw new Error(`${path} is not the state of a local SNS. Delete it to start afresh.`);
}

async function writeAtomically(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${process.pid}.tmp`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(unfinished, text);
  await rename(unfinished, path);
}
