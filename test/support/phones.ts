import { created, type Person, type World } from './people.ts';

/** A push that the local SNS accepted. */
export interface Push {
  at: string;
  platform: string;
  token: string;
  title: string;
  body: string;
  data: Record<string, string>;
  attributes: Record<string, string>;
  messageId: string;
}

export interface Phone {
  id: string;
  token: string;
  /** Pushes that the local SNS accepted for this phone, oldest first. */
  inbox(): Promise<Push[]>;
}

/** Registers a phone with a token of its own; once more when SNS was out of reach, as every client should. */
export async function newPhone(
  world: World,
  of: Person,
  timeZone: string,
  platform = 'android',
): Promise<Phone> {
  const token = `phone-of-${of.name.toLowerCase().replaceAll(' ', '-')}-${crypto.randomUUID()}`;
  const register = () => of.post('/user/me/device', { platform, token, timeZone });
  const first = await register();
  const { identifier } = created(first.status === 503 ? await register() : first);
  return { id: identifier, token, inbox: () => inboxOf(world, token) };
}

export const inboxOf = async ({ snsUrl }: Pick<World, 'snsUrl'>, token: string): Promise<Push[]> =>
  (await fetch(`${snsUrl}/inbox?token=${encodeURIComponent(token)}`)).json() as Promise<Push[]>;

/** Posts to the local SNS what its page would: faults to come, phones to disable or delete. */
export async function tellSns({ snsUrl }: Pick<World, 'snsUrl'>, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(snsUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

/** Makes calls of the local SNS fail, or wait. */
export const plantFault = (world: Pick<World, 'snsUrl'>, fault: object) => tellSns(world, '/faults', fault);

/** A browser's subscription, as its page gets it. */
export interface Subscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** A browser subscribes at the local push service. Its token there is the end of its URL. */
export async function subscribe(
  { snsUrl }: Pick<World, 'snsUrl'>,
  applicationServerKey?: string,
): Promise<Subscription> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ applicationServerKey });
  const answer = await fetch(`${snsUrl}/web-push/subscriptions`, { method: 'POST', headers, body });
  if (answer.status !== 201) throw new Error(await answer.text());
  return (await answer.json()) as Subscription;
}

/** The token of a browser at the local push service, for its inbox and for faults. */
export const browserToken = ({ endpoint }: Subscription): string => endpoint.split('/').at(-1) ?? '';
