import { invalidParameter } from './errors.ts';

export interface ApplicationArn {
  arn: string;
  platform: string;
  name: string;
}

const UUID_LENGTH = 36;

/** Parses `arn:aws:sns:<region>:<account>:app/<platform>/<name>`. */
export function parseApplicationArn(arn: string, parameter = 'PlatformApplicationArn'): ApplicationArn {
  const [kind, platform, name, ...more] = relativePart(arn, parameter);
  if (kind !== 'app' || !platform || !name || more.length > 0) throw wrongSlashes(parameter);
  return { arn, platform, name };
}

/** Checks `arn:aws:sns:<region>:<account>:endpoint/<platform>/<name>/<uuid>` and gives it back. */
export function checkEndpointArn(arn: string): string {
  const [kind, platform, name, uuid, ...more] = relativePart(arn, 'EndpointArn');
  if (kind !== 'endpoint' || !platform || !name || !uuid || more.length > 0)
    throw wrongSlashes('EndpointArn');
  if (uuid.length !== UUID_LENGTH) {
    const rule = `UUID must be encoded in exactly ${UUID_LENGTH} characters.`;
    throw invalidParameter(`EndpointArn Reason: ARN specifies an invalid endpointId: ${rule}`);
  }
  return arn;
}

/** A published-to ARN need only be one: SNS answers everything else with "no endpoint found". */
export function checkTargetArn(arn: string): string {
  relativePart(arn, 'TargetArn');
  return arn;
}

/** The ARN of a new endpoint of an application. */
export function endpointArn(applicationArn: string, uuid: string): string {
  return `${applicationArn.replace(':app/', ':endpoint/')}/${uuid}`;
}

function relativePart(arn: string, parameter: string): string[] {
  const elements = arn.split(':');
  if (elements.length < 6) {
    throw invalidParameter(
      `${parameter} Reason: An ARN must have at least 6 elements, not ${elements.length}`,
    );
  }
  return elements.slice(5).join(':').split('/');
}

function wrongSlashes(parameter: string): Error {
  return invalidParameter(`${parameter} Reason: Wrong number of slashes in relative portion of the ARN.`);
}
