import { z } from 'zod';

/** What hono-openapi asks of a schema. */
export interface Described {
  vendor: 'zod';
  validate: z.ZodType['~standard']['validate'];
  toJSONSchema: () => never;
  toOpenAPISchema: () => Promise<never>;
}

/**
 * The JSON Schema of a request as it is sent (`input`), or of an answer as it is read (`output`). Schemas with an `id`
 * become components. Checks that only code can make are not in it: their descriptions say them.
 */
export function described(schema: z.ZodType, io: 'input' | 'output'): Described {
  const convert = () => {
    // Zod names a schema only where another one refers to it.
    const { properties, $defs } = z.toJSONSchema(z.object({ schema }), {
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        // A query parameter is text that stands for a number; a format says what zod's long patterns say.
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
