import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject } from '../../../../kernel/schema/types.ts'
import { globs, on, opt, pattern, probability, ruleId, textReaction, verdict } from '../../words/policy-words.ts'

const onDenied = Type.Unsafe<Static<typeof textReaction>>({
  ...textReaction,
  description: '`redact` puts `[removed: <id>]` in its place, which nothing turns back.',
})

export const DeniedTerm = strictObject({
  id: ruleId,
  terms: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 100 }),
  match: oneOf('word', 'substring'),
  action: onDenied,
  on: opt(on),
})
export type DeniedTerm = Static<typeof DeniedTerm>

export const DeniedPattern = strictObject({ id: ruleId, pattern, action: onDenied, on: opt(on) })
export type DeniedPattern = Static<typeof DeniedPattern>

/** The policy's own text for the model; not inspected, because an administrator wrote it. */
const injected = nullable(Type.String({ minLength: 1, maxLength: 20_000 }))

const Topic = strictObject({
  id: ruleId,
  description: opt(Type.String({ maxLength: 2000, description: 'In words like those that such texts use.' })),
  examples: opt(Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 50 })),
  threshold: opt({ ...probability, description: 'The score from which on a sentence is about it; default 0.8.' }),
  action: opt(verdict),
  on: opt(on),
})
export type Topic = Static<typeof Topic>

export const Content = strictObject({
  denied_terms: opt(Type.Array(DeniedTerm, { maxItems: 50 })),
  denied_patterns: opt(Type.Array(DeniedPattern, { maxItems: 50 })),
  topics: opt(
    Type.Array(Topic, {
      maxItems: 50,
      description: 'Needs an embedding model, which the operator names; without one a policy with topics is refused.',
    }),
  ),
  tools: opt(
    strictObject({
      allow: opt(globs),
      deny: opt(globs),
      max_tools: opt(Type.Integer({ minimum: 0, maximum: 128 })),
      max_calls_per_answer: opt(Type.Integer({ minimum: 0, maximum: 128 })),
      arguments_schema_check: opt(Type.Boolean({ description: 'Flags arguments that do not fit their tool.' })),
    }),
  ),
  attachments: opt(
    strictObject({
      allow_mime: opt(globs),
      max_bytes: opt(Type.Integer({ minimum: 0, maximum: 26_214_400 })),
      remote_urls: opt(oneOf('allow', 'deny')),
    }),
  ),
  required_metadata: opt(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 16 })),
  system_prompt: opt(
    strictObject({
      lock: opt(Type.Boolean({ description: 'Callers may send no system text of their own.' })),
      prepend: opt(injected),
      append: opt(injected),
    }),
  ),
})
