import type { Static } from 'typebox'
import Type from 'typebox'
import { Region } from '../../../kernel/base/regions.ts'
import { oneOf, strictObject } from '../../../kernel/schema/types.ts'
import { operations } from '../words/operations.ts'
import { classifications } from '../words/policy-words.ts'

const opt = Type.Optional
const Words = Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 100 })
const Tokens = Type.Integer({ minimum: 0, maximum: 10_000_000 })
const TimeOfDay = Type.String({ pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$', maxLength: 5 })

export const Conditions = strictObject(
  {
    operations: opt(Type.Array(oneOf(...operations), { minItems: 1, maxItems: operations.length })),
    keys: opt(Words),
    agents: opt(Words),
    tags: opt(Words),
    metadata: opt(
      Type.Record(Type.String({ maxLength: 64 }), Words, { description: 'Each named member has one of these values.' }),
    ),
    data_classes: opt(
      Type.Array(oneOf(...classifications), {
        minItems: 1,
        maxItems: classifications.length,
        description: 'Of what is in the call once values were taken out, or of what its metadata declares.',
      }),
    ),
    residency: opt(
      Type.Array(Region, {
        minItems: 1,
        maxItems: 300,
        description: 'Its provider works in these regions only: ISO 3166-1 alpha-2, EU or EEA.',
      }),
    ),
    input_tokens: opt(
      strictObject({ at_least: opt(Tokens), at_most: opt(Tokens) }, { description: 'Estimated, both included.' }),
    ),
    time: opt(
      strictObject(
        {
          days: opt(Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7 })),
          from: opt(TimeOfDay),
          to: opt(TimeOfDay),
          time_zone: opt(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$', maxLength: 64 })),
        },
        { description: 'Days from Monday (1). `to` is not included; earlier than `from` it is on the next day.' },
      ),
    ),
  },
  { description: 'For which calls the target is meant; all of it must hold.' },
)
export type Conditions = Static<typeof Conditions>
