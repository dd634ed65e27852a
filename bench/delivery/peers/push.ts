import { Agent } from 'node:http';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { snsDefaults } from '../../../dev/sns/defaults.ts';
import { pushPayload } from '../../../src/sns/payloads.ts';
import { type Task, taskName } from './task.ts';

/** A task with the store's data at its due time. */
export interface Reminder extends Task {
  endpoint: string;
  investigation: string;
  subject: string;
  body: string;
  /** Minutes. */
  expiresAfter: number;
}

/** More than the largest concurrency, so that no push waits for a connection. */
const maxSockets = 512;

/** Publishes with the AWS SDK over persistent connections, with its own retries; resolves with the message id. */
export function createPush(snsUrl: string): (reminder: Reminder) => Promise<string> {
  const { region, accessKeyId, secretAccessKey } = snsDefaults;
  const client = new SNSClient({
    region,
    endpoint: snsUrl,
    credentials: { accessKeyId, secretAccessKey },
    requestHandler: { httpAgent: new Agent({ keepAlive: true, maxSockets }) },
  });
  return async (reminder) => {
    const { MessageId = '' } = await client.send(new PublishCommand(publication(reminder)));
    return MessageId;
  };
}

/** The same message as Fieldbell's. */
function publication(reminder: Reminder) {
  const { endpoint, survey, investigation, subject, body, dueAt, expiresAfter } = reminder;
  const name = taskName(reminder);
  const { message, attributes } = pushPayload({
    endpoint,
    title: subject,
    body,
    data: { survey, investigation, notification: name },
    collapseId: name,
    ttlSeconds: Math.max(1, Math.floor((dueAt + expiresAfter * 60_000 - Date.now()) / 1000)),
  });
  return {
    TargetArn: endpoint,
    MessageStructure: 'json',
    Message: message,
    MessageAttributes: Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [key, { DataType: 'String', StringValue: value }]),
    ),
  };
}
