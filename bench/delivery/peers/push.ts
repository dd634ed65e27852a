import http from 'node:http';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { snsDefaults } from '../../../tools/fakes/sns/defaults.ts';
import { publication, type Reminder } from './publication.ts';

/** More than the largest concurrency, so that no push waits for a connection. */
const kept = { keepAlive: true, maxSockets: 512 };

/** Publishes with the AWS SDK over persistent connections, with its own retries; resolves with the message id. */
export function createPush(snsUrl: string): (reminder: Reminder) => Promise<string> {
  const { region, accessKeyId, secretAccessKey } = snsDefaults;
  const client = new SNSClient({
    region,
    endpoint: snsUrl,
    credentials: { accessKeyId, secretAccessKey },
    requestHandler: { httpAgent: new http.Agent(kept) },
  });
  return async (reminder) => {
    const { target, message, attributes } = publication(reminder);
    const command = new PublishCommand({
      TargetArn: target,
      MessageStructure: 'json',
      Message: message,
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([key, value]) => [key, { DataType: 'String', StringValue: value }]),
      ),
    });
    const { MessageId = '' } = await client.send(command);
    return MessageId;
  };
}
