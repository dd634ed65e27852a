import { DurableObject } from 'cloudflare:workers';
import { AwsClient } from 'aws4fetch';
import { type Publication, publication } from '../peers/publication.ts';
import { successor, type Task } from '../peers/task.ts';

/*
 * What one would write on Cloudflare without Fieldbell: a Durable Object for each reminder, whose alarm reads what it needs
 * in one statement, pushes, and records in one batch.
 */
interface Env {
  DB: D1Database;
  REMINDER: DurableObjectNamespace<Reminder>;
  SNS_URL: string;
  AWS_REGION: string;
  AWS_ACCESS_KEY_ID: string;
  AWS_SECRET_ACCESS_KEY: string;
}

interface Found {
  investigation: string;
  recurrence: string;
  subject: string;
  body: string;
  expiresAfter: number;
  endpoint: string;
  zone: string;
  sent: number;
}

const find = `select s.investigation, s.recurrence, s.subject, s.body, s.expires_after as expiresAfter, p.endpoint,
    p.time_zone as zone, o.sent_at is not null as sent
  from occurrence o join participant p on p.id = o.user join survey s on s.id = o.survey
  where o.user = ? and o.survey = ? and o.occurs_on = ?`;
const settle =
  'update occurrence set sent_at = ?, message_id = ? where user = ? and survey = ? and occurs_on = ?';
const plan =
  'insert into occurrence (user, survey, occurs_on, due_at) values (?, ?, ?, ?) on conflict do nothing';

let aws: AwsClient | undefined;

/** Signed by the client that Workers use. @throws what SNS refuses: the alarm runs again */
async function push(env: Env, { target, message, attributes }: Publication): Promise<string> {
  aws ??= new AwsClient({
    accessKeyId: env.AWS_ACCESS_KEY_ID,
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
    region: env.AWS_REGION,
    service: 'sns',
    retries: 0,
  });
  const body = new URLSearchParams({
    Action: 'Publish',
    Version: '2010-03-31',
    TargetArn: target,
    MessageStructure: 'json',
    Message: message,
  });
  Object.entries(attributes).forEach(([name, value], n) => {
    const entry = `MessageAttributes.entry.${n + 1}`;
    body.set(`${entry}.Name`, name);
    body.set(`${entry}.Value.DataType`, 'String');
    body.set(`${entry}.Value.StringValue`, value);
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
  const answer = await aws.fetch(env.SNS_URL, { method: 'POST', headers, body: body.toString() });
  const text = await answer.text();
  const [, id] = /<MessageId>([^<]+)/.exec(text) ?? [];
  if (!answer.ok || id === undefined) throw new Error(`SNS: ${answer.status}`);
  return id;
}

export class Reminder extends DurableObject<Env> {
  async plan(task: Task): Promise<void> {
    await this.ctx.storage.put('task', task);
    await this.ctx.storage.setAlarm(task.dueAt);
  }

  override async alarm(): Promise<void> {
    const task = await this.ctx.storage.get<Task>('task');
    if (!task) return;
    const { DB } = this.env;
    const found = await DB.prepare(find).bind(task.user, task.survey, task.on).first<Found>();
    if (!found) return;
    const next = successor(task, found.recurrence, found.zone);
    if (!found.sent) {
      const messageId = await push(this.env, publication({ ...task, ...found }));
      await DB.batch([
        DB.prepare(settle).bind(Date.now(), messageId, task.user, task.survey, task.on),
        DB.prepare(plan).bind(next.user, next.survey, next.on, next.dueAt),
      ]);
    }
    await this.plan(next);
  }
}

export default {
  /** Plans the tasks of the body. */
  async fetch(request, env) {
    const tasks = (await request.json()) as Task[];
    await Promise.all(tasks.map((task) => env.REMINDER.get(env.REMINDER.idFromName(task.user)).plan(task)));
    return new Response(null, { status: 204 });
  },
} satisfies ExportedHandler<Env>;
