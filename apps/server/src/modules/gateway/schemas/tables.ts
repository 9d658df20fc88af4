import Type from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { IntentRow } from './intent.ts'
import { ModelAliasRow, ModelRow } from './model.ts'
import { ProviderRow } from './provider.ts'
import { ProviderSecretRow } from './provider-secret.ts'
import { RequestRow } from './request.ts'

export const settings = { category: 'configuration', subject: [], retention: 'tenant', erasure: 'none' } as const
const callLog = {
  category: 'model_call',
  subject: ['user_id'],
  retention: 'P400D',
  minimum: 'P30D',
  erasure: 'keep_pseudonymous',
} as const

export const providers = table({
  name: 'gateway_provider',
  inTenantCopies: true,
  row: ProviderRow,
  sorts: ['created_at', 'name'],
  noun: 'provider',
  data: settings,
})

export const providerSecrets = table({
  name: 'gateway_provider_secret',
  inTenantCopies: true,
  row: ProviderSecretRow,
  dueBy: ['valid_until'],
  noun: 'provider key',
  data: { ...settings, category: 'secret', erasure: 'crypto_shred' },
})

export const models = table({
  name: 'gateway_model',
  inTenantCopies: true,
  row: ModelRow,
  sorts: ['created_at', 'name'],
  noun: 'model',
  data: settings,
})

/** Other names of a model, each the name of one model only. */
export const modelAliases = table({
  name: 'gateway_model_alias',
  inTenantCopies: true,
  row: ModelAliasRow,
  key: ['alias'],
  noun: 'alias',
  data: settings,
})

/** Intents of calls, committed while the provider works; they outlive a crash. */
export const requestIntents = table({
  name: 'gateway_request_intent',
  row: IntentRow,
  sorts: ['created_at'],
  system: true,
  append: true,
  appendOnly: true,
  noun: 'request',
  data: callLog,
})

/** Outcomes of calls, committed before the last byte of the answer leaves. */
export const requests = table({
  name: 'gateway_request',
  row: RequestRow,
  sorts: ['created_at'],
  system: true,
  append: true,
  appendOnly: true,
  noun: 'request',
  data: callLog,
})

/** Up to which deadline calls without an outcome have been closed. */
export const sweepPositions = table({
  name: 'gateway_sweep',
  row: strictObject({ tenant_id: Uuid, swept_to: Timestamp }),
  key: [],
  dueBy: ['swept_to'],
  data: { ...settings, category: 'model_call' },
})

const counter = Type.Integer({ minimum: 0 })

/** Result of the last check of the audit chain, its problems, and the number of calls that have their place in it. */
export const auditChecks = table({
  name: 'gateway_audit_check',
  row: strictObject({
    tenant_id: Uuid,
    checked_at: Timestamp,
    intact: Type.Boolean(),
    broken_at: nullable(Timestamp),
    bad_seq: nullable(Type.Integer({ minimum: 1 })),
    needs_note: Type.Boolean(),
    counted_at: nullable(Timestamp),
    calls: counter,
    audited: counter,
    lost: counter,
    unlogged: counter,
  }),
  key: [],
  dueBy: ['checked_at', 'counted_at'],
  data: { ...settings, category: 'model_call' },
})

/** Hourly counts kept by an event handler, so that analytics and trust never scan single calls. */
export const usageHours = table({
  name: 'gateway_usage_hour',
  row: strictObject({
    tenant_id: Uuid,
    hour: Timestamp,
    offline: Type.Boolean(),
    calls: counter,
    blocked: counter,
    enforced: counter,
    fail_open: counter,
    with_entities: counter,
    leaked: counter,
    input_tokens: counter,
    output_tokens: counter,
    last_at: Timestamp,
  }),
  key: ['hour', 'offline'],
  data: { ...settings, category: 'model_call' },
})
