import Type, { type Static } from 'typebox'
import { mergePatch, nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { classes } from '../chunking/scan-words.ts'

/** `chat` answers; `embedding` makes the vectors by which hybrid retrieval finds passages. */
export const bindingRoles = ['chat', 'embedding'] as const
export const bindingStatuses = ['unbound', 'ready', 'down'] as const

const printable = { pattern: '^[\\x21-\\x7e]+$' }
const Provider = Type.String({
  ...printable,
  minLength: 1,
  maxLength: 63,
  description: 'Name of a provider of the gateway',
})
const Model = Type.String({ ...printable, minLength: 1, maxLength: 256, description: 'A model, an alias or a route' })
const parameters = {
  temperature: Type.Number({ minimum: 0, maximum: 2 }),
  max_tokens: Type.Integer({ minimum: 1, maximum: 100_000 }),
  timeout_ms: Type.Integer({ minimum: 1_000, maximum: 600_000 }),
}

const fields = {
  role: oneOf(...bindingRoles),
  provider: nullable(Provider),
  model: nullable(Model),
  temperature: nullable(parameters.temperature),
  max_tokens: nullable(parameters.max_tokens),
  timeout_ms: nullable(parameters.timeout_ms),
}

export const BindingRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  ...fields,
  probed_at: nullable(Timestamp),
  probe_latency_ms: nullable(Type.Number()),
})
export type BindingRow = Static<typeof BindingRow>

export const Binding = resource({
  ...fields,
  max_classification: nullable(
    Type.Unsafe<(typeof classes)[number]>({
      ...oneOf(...classes),
      description: 'The highest class of data that you may have sent there now; null for none, or unbound',
    }),
  ),
  status: Type.Unsafe<(typeof bindingStatuses)[number]>({
    ...oneOf(...bindingStatuses),
    description: '`down`: no data may be sent there now, for instance because of a kill switch',
  }),
  last_probe: nullable(strictObject({ at: Timestamp, latency_ms: Type.Number({ minimum: 0 }) })),
  candidates: Type.Array(
    strictObject({
      provider: Type.String({ maxLength: 63 }),
      kind: Type.String({ maxLength: 63 }),
      status: Type.String({ maxLength: 40 }),
    }),
    { maxItems: 200, description: 'Providers of the gateway, for whoever may read them' },
  ),
})
export type Binding = Static<typeof Binding>

/** One for each role. */
export const Bindings = strictObject({ bindings: Type.Array(Binding, { maxItems: 10 }) })
export type Bindings = Static<typeof Bindings>

export const PatchBinding = mergePatch({ provider: Provider, model: Model, ...parameters })
export type PatchBinding = Static<typeof PatchBinding>
