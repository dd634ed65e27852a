import { Agent } from 'undici';
import { createSigner } from '../../../src/platform/server/sns-signer.ts';
import { snsDefaults } from '../../../tools/fakes/sns/defaults.ts';
import { publication, type Reminder } from '../peers/publication.ts';

const connections = 128;

/** Publishes with the service's signer over undici; resolves with the message id. */
export function createPush(snsUrl: string): (reminder: Reminder) => Promise<string> {
  const { region, accessKeyId, secretAccessKey } = snsDefaults;
  const sign = createSigner({ region, accessKeyId, secretAccessKey, endpoint: `${snsUrl}/` });
  const agent = new Agent({ connections });
  return async (reminder) => {
    const body = formOf(reminder);
    const answer = await post(agent, {
      origin: snsUrl,
      path: '/',
      method: 'POST',
      headers: sign(body),
      body,
    });
    const [, id] = /<MessageId>([^<]+)/.exec(answer) ?? [];
    if (id === undefined) throw new Error(`SNS: ${answer}`);
    return id;
  };
}

function formOf(reminder: Reminder): string {
  const { target, message, attributes } = publication(reminder);
  const form = new URLSearchParams({
    Action: 'Publish',
    Version: '2010-03-31',
    TargetArn: target,
    MessageStructure: 'json',
    Message: message,
  });
  Object.entries(attributes).forEach(([name, value], n) => {
    const entry = `MessageAttributes.entry.${n + 1}`;
    form.set(`${entry}.Name`, name);
    form.set(`${entry}.Value.DataType`, 'String');
    form.set(`${entry}.Value.StringValue`, value);
  });
  return form.toString();
}

/** Resolves with the text of the answer. */
function post(agent: Agent, request: Agent.DispatchOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    agent.dispatch(request, {
      onRequestStart() {},
      onResponseStart() {},
      onResponseData: (_, chunk) => void chunks.push(chunk),
      onResponseEnd: () => resolve(Buffer.concat(chunks).toString()),
      onResponseError: (_, error) => reject(error),
    });
  });
}
