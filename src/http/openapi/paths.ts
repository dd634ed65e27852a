import { catalogue } from '../../errors.ts';
import { examples } from './examples.ts';

const identifier = {
  type: 'string',
  pattern: '^[0-9a-f]{32}$',
  examples: [examples.case.identifier],
};
const self = { const: 'me', description: 'The caller' };

/** A parameter of the path, described by the segment before it. */
export function pathParameter(path: string, name: string) {
  const before = path.split('/').at(path.split('/').indexOf(`{${name}}`) - 1) ?? '';
  return { in: 'path', name, required: true, ...(byNoun[before] ?? fallback(before)) };
}

const fallback = (noun: string) => ({ description: `Identifier of the ${noun}.`, schema: identifier });

const byNoun: Record<string, { description: string; schema: object }> = {
  user: {
    description: 'Identifier of a user; `me` stands for the caller.',
    schema: { anyOf: [self, identifier] },
  },
  member: {
    description:
      'Identifier of a user; `me` stands for the caller. A pending invitation is named by its e-mail address.',
    schema: { anyOf: [self, identifier, { type: 'string', format: 'email' }] },
  },
  investigation: { description: 'Identifier of the study.', schema: identifier },
  problems: {
    description: 'Code of a problem.',
    schema: { type: 'string', enum: Object.keys(catalogue) },
  },
};
