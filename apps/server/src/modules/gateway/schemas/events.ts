import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { KillSwitchEventData } from '../../aegis/api.ts'
import { cacheStatuses } from '../words/cache-status.ts'
import { dialects, operations } from '../words/operations.ts'
import { costStatuses, SecurityFacts, UsageFacts } from './chat-schema.ts'
import { healthStates } from './provider.ts'
import { decisions, PolicySource, Timings } from './request.ts'

const name = nullable(Type.String({ maxLength: 256 }))
const text = Type.String({ maxLength: 500 })

const about = {
  request_id: Type.String({ maxLength: 64 }),
  log_id: Uuid,
  trace_id: nullable(Type.String({ maxLength: 32 })),
  user_id: Uuid,
  key_id: nullable(Type.String({ maxLength: 64 })),
  agent_id: nullable(Type.String({ maxLength: 64 })),
  dialect: oneOf(...dialects),
  operation: oneOf(...operations),
  route: name,
  provider: name,
  model: name,
  security: SecurityFacts,
  policies: Type.Array(PolicySource),
  offline: Type.Boolean(),
  audit_id: Uuid,
}

const Tokens = Type.Integer({ minimum: 0 })
const UsageTold = strictObject({
  input_tokens: Tokens,
  cached_tokens: Tokens,
  output_tokens: Tokens,
  total_tokens: Tokens,
  usage_source: UsageFacts.properties.usage_source,
})

export const requestCompleted = defineEvent({
  channel: 'gateway.request.completed',
  type: 'RequestCompleted',
  summary: 'A model call ended without being blocked.',
  schema: strictObject({
    ...about,
    response_id: nullable(
      Type.String({
        maxLength: 128,
        description:
          'Id that the provider gave the answer; null where it gave none and the answer has one made of `log_id`',
      }),
    ),
    status: oneOf('completed', 'failed', 'incomplete', 'client_closed'),
    decision: oneOf(...decisions),
    error_code: nullable(Type.String({ maxLength: 16 })),
    usage: nullable(UsageTold),
    cost: nullable(Type.String({ maxLength: 40 })),
    currency: nullable(Type.String({ maxLength: 3 })),
    cost_status: oneOf(...costStatuses),
    cache: oneOf(...cacheStatuses),
    timings: Timings,
    attempts: Type.Integer({ minimum: 0 }),
    fail_open: Type.Array(Type.String({ maxLength: 32 })),
  }),
})

export const requestBlocked = defineEvent({
  channel: 'gateway.request.blocked',
  type: 'RequestBlocked',
  summary: 'A model call was blocked, or would have been in monitor mode.',
  schema: strictObject({
    ...about,
    blocked_by: strictObject({
      step: Type.String({ maxLength: 32 }),
      n: Type.Integer({ minimum: 1, maximum: 14 }),
      error_code: Type.String({ maxLength: 16 }),
    }),
    patterns: Type.Array(Type.String({ maxLength: 64 })),
    entities: Type.Record(Type.String({ maxLength: 64 }), Type.Integer({ minimum: 0 })),
    provenance: nullable(Type.String({ maxLength: 32 })),
    prompt_sha256: nullable(Type.String({ maxLength: 64 })),
    monitor: Type.Boolean(),
  }),
})

const policyEvent = strictObject({
  policy_id: Uuid,
  version: Type.Integer({ minimum: 1 }),
  previous_version: nullable(Type.Integer({ minimum: 1 })),
  sha256: Type.String({ maxLength: 64 }),
  by: nullable(Uuid),
  note: nullable(text),
})

export const policyPublished = defineEvent({
  channel: 'gateway.policy.published',
  type: 'PolicyPublished',
  summary: 'A version of a policy went live.',
  schema: policyEvent,
})

export const policyRolledBack = defineEvent({
  channel: 'gateway.policy.rolled_back',
  type: 'PolicyRolledBack',
  summary: 'An older version of a policy went live again.',
  schema: policyEvent,
})

export const gatewayKillSwitchActivated = defineEvent({
  channel: 'gateway.kill_switch.activated',
  type: 'KillSwitchActivated',
  summary: 'Model calls were stopped.',
  schema: KillSwitchEventData,
})

export const gatewayKillSwitchDeactivated = defineEvent({
  channel: 'gateway.kill_switch.deactivated',
  type: 'KillSwitchDeactivated',
  summary: 'Model calls may go on.',
  schema: KillSwitchEventData,
})

const healthEvent = strictObject({
  provider_id: Uuid,
  state: oneOf(...healthStates),
  reason: nullable(text),
  error_rate: Type.Number({ minimum: 0, maximum: 1 }),
  since: Timestamp,
})

export const providerDegraded = defineEvent({
  channel: 'gateway.provider.degraded',
  type: 'ProviderDegraded',
  summary: 'A provider keeps failing or refuses its key.',
  schema: healthEvent,
})

export const secretRotated = defineEvent({
  channel: 'gateway.secret.rotated',
  type: 'SecretRotated',
  summary: 'A provider has a new version of a key.',
  schema: strictObject({
    provider_id: Uuid,
    key_id: Type.String({ maxLength: 63 }),
    version: Type.Integer({ minimum: 2 }),
    by: Uuid,
  }),
})

export const providerRecovered = defineEvent({
  channel: 'gateway.provider.recovered',
  type: 'ProviderRecovered',
  summary: 'A provider answers again.',
  schema: healthEvent,
})
