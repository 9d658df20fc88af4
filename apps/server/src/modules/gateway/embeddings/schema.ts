/** Known members of an OpenAI embeddings body; everything else passes to a provider of the same form. */
import Type, { type Static } from 'typebox'
import { nullable, oneOf } from '../../../kernel/schema/types.ts'
import { modelName, openAiMetadata } from '../dialects/openai/chat-schema.ts'

const maybe = <S extends Type.TSchema>(schema: S) => Type.Optional(nullable(schema))
const text = Type.String({ minLength: 1, maxLength: 10_485_760 })
const tokens = Type.Array(Type.Integer({ minimum: 0, maximum: 10_000_000 }), { minItems: 1, maxItems: 2_000_000 })
const mostInputs = 2048

export const OpenAiEmbeddings = Type.Object({
  model: Type.Optional(modelName),
  input: Type.Union([
    text,
    Type.Array(text, { minItems: 1, maxItems: mostInputs }),
    tokens,
    Type.Array(tokens, { minItems: 1, maxItems: mostInputs }),
  ]),
  dimensions: maybe(Type.Integer({ minimum: 1, maximum: 65_536 })),
  encoding_format: maybe(oneOf('float', 'base64')),
  user: maybe(Type.String({ maxLength: 512 })),
  metadata: maybe(openAiMetadata),
})
export type OpenAiEmbeddings = Static<typeof OpenAiEmbeddings>
