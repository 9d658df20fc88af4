import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

export const PromptName = Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', minLength: 1, maxLength: 64 })
export const Label = Type.String({ pattern: '^[a-z][a-z0-9_]{0,31}$', maxLength: 32 })
const Template = Type.String({ minLength: 1, maxLength: 32_000, description: 'Liquid' })
const variableTypes = ['string', 'number', 'boolean'] as const
const VariableName = Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$', maxLength: 40 })
const Variable = strictObject({
  name: VariableName,
  type: oneOf(...variableTypes),
  required: Type.Boolean(),
  description: Type.Optional(Type.String({ maxLength: 200 })),
})
export type Variable = Static<typeof Variable>
const Variables = Type.Array(Variable, { maxItems: 32 })
const Description = Type.String({ maxLength: 500 })

/** Values of a template's variables. */
export const Values = Type.Unsafe<Readonly<Record<string, string | number | boolean>>>({
  type: 'object',
  maxProperties: 32,
  propertyNames: { type: 'string', maxLength: 40 },
  additionalProperties: {
    anyOf: [
      { type: 'string', maxLength: 8_000 },
      { type: 'number', minimum: -1e15, maximum: 1e15 },
      { type: 'boolean' },
    ],
  },
})
export type Values = Static<typeof Values>

export const PromptRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp },
  name: PromptName,
  number: Type.Integer({ minimum: 1 }),
  template: Template,
  variables: Variables,
  description: nullable(Description),
  sha256: Type.String({ maxLength: 64 }),
  created_by: nullable(Uuid),
})
export type PromptRow = Static<typeof PromptRow>

export const PromptLabelRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp },
  name: PromptName,
  label: Label,
  number: Type.Integer({ minimum: 1 }),
})

export const Prompt = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp },
  name: PromptName,
  version: Type.Integer({ minimum: 1 }),
  template: Template,
  variables: Variables,
  labels: Type.Array(Label, { maxItems: 50 }),
  description: nullable(Description),
  sha256: Type.String({ maxLength: 64 }),
  created_by: nullable(Uuid),
})
export type Prompt = Static<typeof Prompt>

export const NewPromptAnswer = strictObject({
  ...Prompt.properties,
  preview: nullable(Type.String({ description: 'With `preview_variables`' })),
})
export type NewPromptAnswer = Static<typeof NewPromptAnswer>

export const PromptFilter = strictObject({
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  name: Type.Optional(PromptName),
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  label: Type.Optional(Label),
})
export type PromptFilter = Static<typeof PromptFilter>

export const NewPrompt = strictObject({
  name: PromptName,
  template: Template,
  variables: Type.Optional(
    Type.Array(
      strictObject({
        name: VariableName,
        type: Type.Optional(oneOf(...variableTypes)),
        required: Type.Optional(Type.Boolean()),
        description: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      }),
      { maxItems: 32 },
    ),
  ),
  labels: Type.Optional(Type.Array(Label, { maxItems: 10, description: 'They move to this version' })),
  description: Type.Optional(Description),
  expected_version: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'The newest version that you know; 0 for none' }),
  ),
  preview_variables: Type.Optional(Values),
})
export type NewPrompt = Static<typeof NewPrompt>
