import Type from 'typebox'
import { strictObject } from '../../../kernel/schema/types.ts'
import { defineSetting } from '../../../kernel/settings/define.ts'
import { constraintProblem } from './engine/constraints.ts'
import { Constraint, FlagKey } from './schemas/rules.ts'

export const staleDays = defineSetting({
  key: 'flags.stale_days',
  schema: Type.Integer({ minimum: 1, maximum: 3650 }),
  default: 60,
  scope: 'both',
  description: 'Days without a change after which a flag that nearly always serves the same variant counts as stale.',
})

export const flagSegments = defineSetting({
  key: 'flags.segments',
  schema: Type.Record(
    FlagKey,
    strictObject({
      description: Type.Optional(Type.String({ maxLength: 500 })),
      constraints: Type.Array(Constraint, { minItems: 1, maxItems: 50 }),
    }),
    // Without it names of another form would pass with anything below them.
    { maxProperties: 500, additionalProperties: false },
  ),
  default: {},
  scope: 'both',
  description: 'Groups of contexts by name, for the rules of feature flags. All constraints of one have to hold.',
  check: (segments) => {
    for (const [name, { constraints }] of Object.entries(segments)) {
      const problem = constraints.map(constraintProblem).find((text) => text !== null)
      if (problem !== undefined) return `${name}: ${problem}`
    }
    return null
  },
})
