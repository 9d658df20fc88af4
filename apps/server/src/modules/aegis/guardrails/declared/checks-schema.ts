/** Checks of a guardrail as they are written. All checks of a guardrail have to hold for it to match. */
import Type, { type Static } from 'typebox'
import { oneOf, strictObject } from '../../../../kernel/schema/types.ts'
import { detectors, flowTemplates, rateMeasures, rateSubjects, trustLevels } from './words.ts'

const Label = Type.String({ minLength: 1, maxLength: 300 })
const Labels = (description: string) => Type.Optional(Type.Array(Label, { maxItems: 50, description }))
const Glob = Type.String({
  minLength: 1,
  maxLength: 300,
  description: '`<server>/<tool>`; `*` stands for any characters',
})

export const CelCheck = strictObject({
  type: Type.Literal('cel'),
  expression: Type.String({ minLength: 1, maxLength: 2_000, description: 'A condition in CEL' }),
})

export const SchemaCheck = strictObject({
  type: Type.Literal('json_schema'),
  schema: Type.Record(Type.String({ maxLength: 256 }), Type.Unknown(), {
    description: 'JSON Schema 2020-12 of the arguments; references within itself only',
  }),
  holds_when: Type.Optional(
    Type.String({ enum: ['invalid', 'valid'], maxLength: 7, description: 'Default: invalid', default: 'invalid' }),
  ),
})

export const DetectorCheck = strictObject({
  type: Type.Literal('detector'),
  detector: oneOf(...detectors),
  types: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      ...{ minItems: 1, maxItems: 50 },
      description: 'Kinds of findings that count; default: all',
    }),
  ),
  min_score: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  pattern: Type.Optional(
    Type.String({ minLength: 1, maxLength: 512, description: 'RE2 syntax; of the detector `pattern`' }),
  ),
})

export const RateCheck = strictObject({
  type: Type.Literal('rate_limit'),
  per: oneOf(...rateSubjects),
  measure: Type.Optional(oneOf(...rateMeasures)),
  limit: Type.Integer({ minimum: 1, maximum: 4_294_967_295 }),
  window_seconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
})

export const FlowCheck = strictObject({
  type: Type.Literal('flow'),
  template: Type.Optional(oneOf(...flowTemplates)),
  labels_all: Labels('Labels that the session has'),
  labels_any: Labels('Labels of which the session has one; `private:*` stands for all that begin so'),
  labels_none: Labels('Labels of which the session has none'),
  tool_labels_any: Labels('Labels of which the tool has one'),
  server_trust_below: Type.Optional(oneOf(...trustLevels)),
})

export const SequenceCheck = strictObject({
  type: Type.Literal('sequence'),
  first: Glob,
  next: Glob,
  within_steps: Type.Integer({ minimum: 1, maximum: 100 }),
})

export const Check = Type.Union([CelCheck, SchemaCheck, DetectorCheck, RateCheck, FlowCheck, SequenceCheck])
export type Check = Static<typeof Check>
export type CheckOf<T extends Check['type']> = Extract<Check, { readonly type: T }>
