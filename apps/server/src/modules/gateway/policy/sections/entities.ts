import { type ValueCheck, valueChecks } from '@parapet/detect'
import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject } from '../../../../kernel/schema/types.ts'
import { action, opt, pattern, probability } from '../../words/policy-words.ts'

/** Entities that a rule can target: the types of the detectors, and all kinds of secrets as one. */
export const entityTypes = [
  'EMAIL',
  'CREDIT_CARD',
  'PHONE',
  'IBAN',
  'BIC',
  'PERSON',
  'ADDRESS',
  'DATE_OF_BIRTH',
  'NATIONAL_ID',
  'US_SSN',
  'US_EIN',
  'UK_NINO',
  'TAX_ID',
  'PASSPORT',
  'DRIVING_LICENSE',
  'MEDICAL_RECORD',
  'HEALTH_INSURANCE',
  'LICENSE_PLATE',
  'IP_ADDRESS',
  'MAC_ADDRESS',
  'IMEI',
  'VIN',
  'CRYPTO',
  'COORDINATES',
  'URL_CREDENTIALS',
  'SECRET',
] as const
export type BuiltinEntity = (typeof entityTypes)[number]
/** A built-in type, or the name of a custom one. */
export type EntityType = string

const builtin: ReadonlySet<string> = new Set(entityTypes)
export const isBuiltinEntity = (name: string): name is BuiltinEntity => builtin.has(name)

export const styles = ['placeholder', 'synthetic', 'mask', 'hash', 'drop'] as const
export type Style = (typeof styles)[number]

/** Around placeholders; the first pair is the default. */
export const bracketPairs = ['⟦⟧', '[]', '[[]]', '{{}}', '<>', '«»'] as const

const EntityRuleInput = strictObject({
  action: opt(action),
  min_confidence: opt(probability),
  restore: opt(Type.Boolean()),
  style: opt(oneOf(...styles)),
})
export type EntityRuleInput = Static<typeof EntityRuleInput>

const entityName = Type.String({ pattern: '^[A-Z][A-Z0-9_]{1,25}$', maxLength: 26 })

/** Rules by entity. A name that is neither built in nor custom is refused when the document is saved. */
export const EntityRules = Type.Unsafe<Readonly<Record<EntityType, EntityRuleInput>>>({
  type: 'object',
  maxProperties: 64,
  propertyNames: entityName,
  additionalProperties: EntityRuleInput,
  description: `Rules by entity: ${entityTypes.join(', ')}, or the name of a custom entity.`,
})

export const CustomEntity = strictObject({
  name: entityName,
  pattern,
  context: opt(
    Type.Array(Type.String({ minLength: 2, maxLength: 64 }), {
      maxItems: 20,
      description: 'Words that make a value near them surer.',
    }),
  ),
  confidence: opt(Type.Number({ minimum: 0, maximum: 1, description: 'Default 0.7.' })),
  validator: opt(
    nullable(
      Type.Unsafe<ValueCheck>({
        ...oneOf(...valueChecks),
        description: 'Check digits; a value they do not hold for is none.',
      }),
    ),
  ),
})
export type CustomEntity = Static<typeof CustomEntity>

/** Values that are known and harmless: by their hash, or addresses of a domain. */
export const AllowedValues = strictObject({
  entity: entityName,
  values_sha256: opt(
    Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64 }), {
      maxItems: 1000,
      description: 'SHA-256 of the value in lower case without blanks around it.',
    }),
  ),
  domains: opt(Type.Array(Type.String({ pattern: '^[a-z0-9.-]{1,253}$', maxLength: 253 }), { maxItems: 200 })),
})
export type AllowedValues = Static<typeof AllowedValues>
