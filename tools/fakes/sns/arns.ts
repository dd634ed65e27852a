import { invalidParameter } from './protocol.ts';

/** The parts of `app/<platform>/<name>` or `endpoint/<platform>/<name>/<uuid>`, the last element of an ARN. */
export function resourceOf(arn: string, parameter: string, kind?: 'app' | 'endpoint'): string[] {
  const refuse = (reason: string) => invalidParameter(`${parameter} Reason: ${reason}`);
  const elements = arn.split(':');
  if (elements.length < 6) throw refuse(`An ARN must have at least 6 elements, not ${elements.length}`);
  const parts = elements.slice(5).join(':').split('/');
  if (kind && (parts[0] !== kind || parts.length !== (kind === 'app' ? 3 : 4) || parts.includes('')))
    throw refuse('Wrong number of slashes in relative portion of the ARN.');
  if (kind === 'endpoint' && parts[3]?.length !== 36)
    throw refuse('ARN specifies an invalid endpointId: UUID must be encoded in exactly 36 characters.');
  return parts;
}

/** The ARN of a new endpoint of an application. */
export const endpointArn = (application: string, uuid: string) =>
  `${application.replace(':app/', ':endpoint/')}/${uuid}`;
