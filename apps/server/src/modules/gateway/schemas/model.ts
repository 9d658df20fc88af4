import Type, { type Static } from 'typebox'
import { listed, nullable, oneOf, resource, Slug, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { PriceSheet } from '../prices/price.ts'
import { type Encoding, encodings } from '../words/encodings.ts'

const opt = Type.Optional

export const capabilityNames = [
  'tools',
  'parallel_tools',
  'vision',
  'audio_in',
  'audio_out',
  'files',
  'structured_output',
  'reasoning',
  'streaming',
  'embeddings',
] as const
export type CapabilityName = (typeof capabilityNames)[number]

/** Those that decide which fields of a call a model takes. */
export const abilities = [
  'tools',
  'parallel_tools',
  'vision',
  'audio_in',
  'files',
  'structured_output',
  'reasoning',
] as const satisfies readonly CapabilityName[]
export type Ability = (typeof abilities)[number]

const flag = Type.Boolean()
const Capabilities = strictObject(
  {
    tools: flag,
    parallel_tools: flag,
    vision: flag,
    audio_in: flag,
    audio_out: flag,
    files: flag,
    structured_output: flag,
    reasoning: flag,
    streaming: flag,
    embeddings: flag,
  } satisfies Record<CapabilityName, Type.TBoolean>,
  {
    description:
      'What can be asked of it: what its kind of provider has a form for, but for what it is known not to do. A model nobody here knows may refuse more.',
  },
)
export type Capabilities = Static<typeof Capabilities>

const own = opt(flag)
/** The tenant's settings of a model's abilities. */
const OwnAbilities = strictObject({
  tools: own,
  parallel_tools: own,
  vision: own,
  audio_in: own,
  files: own,
  structured_output: own,
  reasoning: own,
} satisfies Record<Ability, Type.TSchema>)
export type OwnAbilities = Static<typeof OwnAbilities>

const change = opt(nullable(flag))
const AbilityChanges = strictObject(
  {
    tools: change,
    parallel_tools: change,
    vision: change,
    audio_in: change,
    files: change,
    structured_output: change,
    reasoning: change,
  } satisfies Record<Ability, Type.TSchema>,
  {
    description:
      'What it can do, where that is not what is shipped. Fields for what it cannot do are not sent to it; nothing makes it do what its kind of provider has no form for.',
  },
)
export type AbilityChanges = Static<typeof AbilityChanges>

/** As models are named: printable, and no slash, which would look like a provider. */
export const Alias = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}$', maxLength: 128 })
const Aliases = Type.Array(Alias, { maxItems: 32, uniqueItems: true })
const TokenLimit = Type.Integer({ minimum: 1, maximum: 100_000_000 })
const PriceName = Type.String({ maxLength: 400, description: 'As the log names the price a call was charged by.' })

const DeprecatedAt = nullable(
  Type.Unsafe<string>({ ...Timestamp, description: 'From when its vendor advises against it.' }),
)
const RetiresAt = nullable(
  Type.Unsafe<string>({
    ...Timestamp,
    description: 'When its vendor takes it away; its answers say so in `X-Gateway-Model-Retires`.',
  }),
)

export const Model = resource({
  key: Type.String({ maxLength: 320, description: '`<provider>/<model>`' }),
  provider_id: Uuid,
  provider: Slug,
  name: Type.String({ maxLength: 256 }),
  source: oneOf('builtin', 'declared', 'synced'),
  aliases: Aliases,
  enabled: Type.Boolean({ description: 'It and its provider are.' }),
  capabilities: Capabilities,
  field_support: Type.Record(Type.String({ maxLength: 64 }), oneOf('native', 'translated', 'emulated', 'unsupported')),
  context_tokens: nullable(TokenLimit),
  tokenizer: nullable(
    Type.Unsafe<Encoding>({ ...oneOf(...encodings), description: 'What its tokens are counted with; else estimated.' }),
  ),
  max_output_tokens: nullable(TokenLimit),
  deprecated_at: DeprecatedAt,
  retires_at: RetiresAt,
  offline: Type.Boolean(),
  prices: nullable(PriceSheet),
  price_id: nullable(PriceName),
  price_source: nullable(Type.String({ maxLength: 300 })),
  upcoming_prices: Type.Array(
    strictObject({ price_id: PriceName, valid_from: Timestamp, prices: nullable(PriceSheet) }),
    { description: 'Of the tenant; without prices it goes back to the shipped ones.' },
  ),
})
export type Model = Static<typeof Model>

/** A model has no page of its own, so the list tells its entity tag. */
export const ListedModel = listed(Model)

export const ModelFilter = strictObject({
  provider_id: opt(Uuid),
  capability: opt(oneOf(...capabilityNames)),
  enabled: opt(Type.Boolean()),
  q: opt(Type.String({ minLength: 1, maxLength: 100 })),
})
export type ModelFilter = Static<typeof ModelFilter>

/** `null` goes back to the shipped value. */
export const PatchModel = strictObject({
  price: opt(nullable(strictObject({ ...PriceSheet.properties, valid_from: opt(Timestamp) }))),
  aliases: opt(nullable(Aliases)),
  enabled: opt(nullable(Type.Boolean())),
  capabilities: opt(nullable(AbilityChanges)),
  context_tokens: opt(nullable(TokenLimit)),
  max_output_tokens: opt(nullable(TokenLimit)),
  deprecated_at: opt(DeprecatedAt),
  retires_at: opt(RetiresAt),
})
export type PatchModel = Static<typeof PatchModel>

/** The tenant's settings of a model; null means as shipped. */
export const ModelRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  provider_id: Uuid,
  name: Type.String({ maxLength: 256 }),
  source: oneOf('builtin', 'declared', 'synced'),
  enabled: nullable(Type.Boolean()),
  capabilities: OwnAbilities,
  context_tokens: nullable(TokenLimit),
  max_output_tokens: nullable(TokenLimit),
  deprecated_at: DeprecatedAt,
  retires_at: RetiresAt,
  version: Type.Integer({ minimum: 1 }),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type ModelRow = Static<typeof ModelRow>

export const ModelAliasRow = strictObject({ tenant_id: Uuid, alias: Alias, model_id: Uuid })
export type ModelAliasRow = Static<typeof ModelAliasRow>
