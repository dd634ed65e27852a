import * as z from 'zod';

/** The interface that hono-openapi expects of a schema. */
export interface Described {
  vendor: 'zod';
  validate: z.ZodType['~standard']['validate'];
  toJSONSchema: () => never;
  toOpenAPISchema: () => Promise<never>;
}

/**
 * The JSON Schema of a request as it is sent (`input`), or of an answer as it is read (`output`). Schemas with an `id`
 * become components. JSON Schema cannot express refinements: the descriptions of the fields state them.
 */
export function described(schema: z.ZodType, io: 'input' | 'output'): Described {
  const convert = () => {
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
    const text = JSON.stringify({ schema: properties?.schema, components: { schemas: $defs ?? {} } });
    return JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'));
  };
  return {
    vendor: 'zod',
    validate: schema['~standard'].validate,
    toJSONSchema: () => convert().schema as never,
    toOpenAPISchema: async () => convert() as never,
  };
}
