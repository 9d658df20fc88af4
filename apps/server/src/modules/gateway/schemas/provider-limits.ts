import Type, { type Static } from 'typebox'
import { nullable, strictObject, Timestamp } from '../../../kernel/schema/types.ts'

const opt = Type.Optional

const mebibyte = 1_048_576
/** Default maximum of an answer's bytes over the wire. */
export const usualResponseBytes = 16 * mebibyte

/** The tenant's own limits for a provider, independent of its vendor's limits; null means no own limit. */
export const ProviderLimits = strictObject({
  max_concurrency: nullable(
    Type.Integer({ minimum: 1, maximum: 10_000, description: 'Calls at once, in each instance.' }),
  ),
  rpm: nullable(Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'Calls per minute, with every retry.' })),
  tpm: nullable(
    Type.Integer({ minimum: 1, maximum: 4_000_000_000, description: 'Tokens per minute; input as it is estimated.' }),
  ),
  max_response_bytes: nullable(
    Type.Integer({
      minimum: 65_536,
      maximum: 64 * mebibyte,
      description: 'Bytes of one answer, over the wire; null is 16 MiB. A longer one is `GW-013`.',
    }),
  ),
})
export type ProviderLimits = Static<typeof ProviderLimits>
export const LimitsInput = strictObject({
  max_concurrency: opt(ProviderLimits.properties.max_concurrency),
  rpm: opt(ProviderLimits.properties.rpm),
  tpm: opt(ProviderLimits.properties.tpm),
  max_response_bytes: opt(ProviderLimits.properties.max_response_bytes),
})

/** Of a provider that names none. One that is stored may be older than the newest of them. */
export const noLimits: ProviderLimits = { max_concurrency: null, rpm: null, tpm: null, max_response_bytes: null }

/** Terms agreed with the vendor and the date of their last check; null means unknown. */
export const ProviderTerms = strictObject({
  training_opt_out: nullable(Type.Boolean({ description: 'Nothing is used to train models.' })),
  retention_days: nullable(
    Type.Integer({ minimum: 0, maximum: 3650, description: 'Days for which prompts are kept there.' }),
  ),
  reviewed_at: nullable(Timestamp),
})
export type ProviderTerms = Static<typeof ProviderTerms>
export const TermsInput = strictObject({
  training_opt_out: opt(ProviderTerms.properties.training_opt_out),
  retention_days: opt(ProviderTerms.properties.retention_days),
  reviewed_at: opt(ProviderTerms.properties.reviewed_at),
})
