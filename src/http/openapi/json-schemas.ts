import * as z from 'zod';

/** A schema of the document. */
export interface JsonSchema {
  properties?: Record<string, object>;
  required?: string[];
}

/**
 * The JSON Schema of a request as it is sent (`input`), or of an answer as it is read (`output`). Schemas with an `id`
 * become `components`. JSON Schema cannot express refinements: the descriptions of the fields state them.
 */
export function jsonSchemaOf(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Record<string, object>,
): JsonSchema {
  // Zod turns a schema with an `id` into a definition only when another schema refers to it.
  const { properties, $defs } = z.toJSONSchema(z.object({ schema }), {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Query numbers are validated as text, and zod's patterns for dates and e-mail repeat the format.
      const known = jsonSchema.format === 'date-time' || jsonSchema.format === 'email';
      if (jsonSchema.type === 'integer' || known) delete jsonSchema.pattern;
    },
  });
  const text = JSON.stringify([properties?.schema, $defs ?? {}]);
  const [found, definitions] = JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'));
  Object.assign(components, definitions);
  return found;
}
