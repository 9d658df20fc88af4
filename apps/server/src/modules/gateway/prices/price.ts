/** Price of a model: unit prices per 1,000,000 as decimal texts, tiers by the size of the input, service tiers. */
import Type, { type Static } from 'typebox'
import { strictObject } from '../../../kernel/schema/types.ts'
import { amountPattern } from './amounts.ts'

/** Units that are counted. All but `request` are tokens. */
export const unitNames = [
  'input',
  'cached_input',
  'cache_write_5m',
  'cache_write_1h',
  'output',
  'reasoning_output',
  'input_image',
  'input_audio',
  'output_audio',
  'request',
] as const
export type UnitName = (typeof unitNames)[number]

const opt = Type.Optional
const UnitPrice = opt(Type.String({ pattern: amountPattern, maxLength: 22 }))

export const UnitPrices = strictObject(
  {
    input: UnitPrice,
    cached_input: UnitPrice,
    cache_write_5m: UnitPrice,
    cache_write_1h: UnitPrice,
    output: UnitPrice,
    reasoning_output: UnitPrice,
    input_image: UnitPrice,
    input_audio: UnitPrice,
    output_audio: UnitPrice,
    request: UnitPrice,
  },
  { description: 'Decimals per 1,000,000.' },
)
export type UnitPrices = Static<typeof UnitPrices>

const Tiers = Type.Array(
  strictObject({
    above_input_tokens: Type.Integer({ minimum: 1, maximum: 100_000_000 }),
    prices: UnitPrices,
  }),
  { maxItems: 8, description: 'For calls whose whole input is larger; what a tier leaves out stays as it was.' },
)

const ServiceTier = opt(strictObject({ prices: UnitPrices, tiers: opt(Tiers) }))

/** Names by which vendors sell the same model faster or later. */
export const serviceTiers = ['flex', 'priority', 'fast', 'scale'] as const
export type ServiceTierName = (typeof serviceTiers)[number]

/** `EUR`, `USD`: amounts of different currencies are never added up. */
export const Currency = Type.String({ pattern: '^[A-Z]{3}$', maxLength: 3, description: 'ISO 4217' })

export const PriceSheet = strictObject({
  currency: Currency,
  prices: UnitPrices,
  tiers: opt(Tiers),
  service_tiers: opt(strictObject({ flex: ServiceTier, priority: ServiceTier, fast: ServiceTier, scale: ServiceTier })),
})
export type PriceSheet = Static<typeof PriceSheet>

/** A price as it ships or is imported. */
export interface ListPrice extends PriceSheet {
  /** A kind of provider. */
  readonly provider: string
  /** Pattern of model names; `*` stands for any text. */
  readonly model: string
  readonly max_output_tokens?: number
  /** Date from which the vendor charges it, as far as that is known. */
  readonly valid_from: string
  readonly source: string
  /** Date of the last check. */
  readonly checked_at: string
}

/** A price that applies to a call, with the name of its version for the log. */
export interface Price {
  readonly id: string
  readonly sheet: PriceSheet
  readonly source: string
  readonly maxOutputTokens: number | null
}
