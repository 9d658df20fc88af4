import Type from 'typebox'
import { oneOf } from '../../../kernel/schema/types.ts'

/** Shapes that several sections of the policy document use. */
export const opt = Type.Optional

const actions = ['allow', 'flag', 'redact', 'block'] as const
export type Action = (typeof actions)[number]
export const action = oneOf(...actions)
/** Where nothing can be taken out, only noticed or refused. */
export const verdict = oneOf('allow', 'flag', 'block')
export const reaction = oneOf('flag', 'block')
export const textReaction = oneOf('flag', 'redact', 'block')

export const probability = Type.Number({ minimum: 0, maximum: 1 })
export const globs = Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x20-\\x7e]+$' }), {
  maxItems: 500,
})
export const ruleId = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,62}$', maxLength: 63 })
/** Written by tenants; runs on an engine with linear time. */
export const pattern = Type.String({ minLength: 1, maxLength: 512 })

/** Classes of data, the least first. */
export const classifications = ['public', 'internal', 'confidential', 'restricted'] as const
export type Classification = (typeof classifications)[number]

export const sides = ['input', 'output'] as const
export type Side = (typeof sides)[number]
export const on = Type.Array(oneOf(...sides), { minItems: 1, maxItems: 2, description: 'Default input.' })

/** A section with its omitted members filled in from the defaults. */
export type Filled<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> }
