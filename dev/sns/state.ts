import { EventEmitter } from 'node:events';

export interface Application {
  arn: string;
  platform: string;
  attributes: Record<string, string>;
}

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

/** What the phone needs beyond the inbox: a push replaces a shown one of the same collapse id. */
export interface Push extends InboxEntry {
  collapseId: string | null;
}

export type Change =
  | { type: 'application' }
  | { type: 'endpoint'; endpoint: Endpoint }
  | { type: 'endpoint-deleted'; arn: string }
  | { type: 'push'; push: Push }
  | { type: 'cleared' };

export interface StateData {
  applications: Application[];
  endpoints: Endpoint[];
  pushes: Push[];
}

/** Everything the stand-in remembers. Emits `change` after each write. */
export class State extends EventEmitter<{ change: [Change] }> {
  readonly applications: Map<string, Application>;
  readonly endpoints = new Map<string, Endpoint>();
  readonly #byToken = new Map<string, Endpoint>();
  pushes: Push[];

  constructor(data: StateData = { applications: [], endpoints: [], pushes: [] }) {
    super();
    // One listener for each open page.
    this.setMaxListeners(0);
    this.applications = new Map(data.applications.map((application) => [application.arn, application]));
    for (const endpoint of data.endpoints) this.#index(endpoint);
    this.pushes = data.pushes;
  }

  putApplication(application: Application): void {
    this.applications.set(application.arn, application);
    this.emit('change', { type: 'application' });
  }

  putEndpoint(endpoint: Endpoint): void {
    this.#index(endpoint);
    this.emit('change', { type: 'endpoint', endpoint });
  }

  /** A token is unique within its application, not beyond. */
  findByToken(application: string, token: string): Endpoint | undefined {
    return this.#byToken.get(tokenKey({ application, token }));
  }

  deleteEndpoint(arn: string): void {
    const endpoint = this.endpoints.get(arn);
    if (!endpoint) return;
    this.endpoints.delete(arn);
    this.#byToken.delete(tokenKey(endpoint));
    this.emit('change', { type: 'endpoint-deleted', arn });
  }

  addPush(push: Push): void {
    this.pushes.push(push);
    this.emit('change', { type: 'push', push });
  }

  clearPushes(): void {
    this.pushes = [];
    this.emit('change', { type: 'cleared' });
  }

  toJSON(): StateData {
    return {
      applications: [...this.applications.values()],
      endpoints: [...this.endpoints.values()],
      pushes: this.pushes,
    };
  }

  #index(endpoint: Endpoint): void {
    const previous = this.endpoints.get(endpoint.arn);
    if (previous) this.#byToken.delete(tokenKey(previous));
    this.endpoints.set(endpoint.arn, endpoint);
    this.#byToken.set(tokenKey(endpoint), endpoint);
  }
}

function tokenKey({ application, token }: Pick<Endpoint, 'application' | 'token'>): string {
  return `${application} ${token}`;
}
