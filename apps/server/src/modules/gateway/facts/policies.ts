import Type, { type Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { oneOf, strictObject, Timestamp } from '../../../kernel/schema/types.ts'
import { type Binding, PolicyRow, PolicyVersionRow } from '../policies/schema.ts'
import { complete } from '../policy/defaults.ts'
import type { PolicyDocumentInput } from '../policy/document.ts'

const Action = Type.String({ maxLength: 16, description: '`off` where the policy switches the step off' })
const { id, name, bindings } = PolicyRow.properties

const Protection = strictObject({
  injection_user: Action,
  injection_tool_result: Action,
  sensitive_data: Action,
  output_sensitive_data: Action,
  output_secrets: Action,
  retention: oneOf('full', 'redacted', 'metadata'),
  residency: Type.Array(Type.String({ maxLength: 8 })),
  require_zero_retention: Type.Boolean(),
  fail_open: Type.Array(Type.String({ maxLength: 32 }), { description: 'Steps whose failure lets calls through' }),
})

export const policiesFact = defineFact({
  name: 'gateway.policies',
  description: 'Policies in force: the published version of each, whom it binds, and what it demands where it binds.',
  permission: 'gateway:read',
  schema: strictObject({
    total: Type.Integer({ minimum: 0, description: 'Published policies, counted' }),
    policies: Type.Array(
      strictObject({
        id,
        name,
        version: PolicyVersionRow.properties.number,
        sha256: PolicyVersionRow.properties.sha256,
        published_at: Timestamp,
        mode: oneOf('enforce', 'monitor', 'off'),
        bindings,
        protection: Protection,
      }),
    ),
  }),
  read: async ({ tx }) => {
    const rows = await tx.query(inForce)
    const counted = await tx.first(sql<{ total: number }>`
      select count(*)::int as total from gateway_policy where status = 'published'`)
    return {
      total: counted?.total ?? 0,
      policies: rows.map(({ document, ...row }) => ({
        ...row,
        mode: complete(document).mode,
        protection: protectionOf(document),
      })),
    }
  },
})

interface PolicyInForce {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly sha256: string
  readonly published_at: string
  readonly bindings: Binding[]
  readonly document: PolicyDocumentInput
}

const inForce = sql<PolicyInForce>`
  select policy.id, policy.name, policy.bindings, given.number as version, given.sha256, given.published_at, given.document
  from gateway_policy policy
  join gateway_policy_version given on given.tenant_id = policy.tenant_id
    and given.policy_id = policy.id and given.number = policy.active_version
  where policy.status = 'published'
  order by policy.name`

function protectionOf(document: PolicyDocumentInput): Static<typeof Protection> {
  const { injection, sensitive_data, output, retention, providers, failure } = complete(document)
  const whereOn = (enabled: boolean, action: string): string => (enabled ? action : 'off')
  return {
    injection_user: whereOn(injection.enabled, injection.action_user),
    injection_tool_result: whereOn(injection.enabled, injection.action_tool_result),
    sensitive_data: whereOn(sensitive_data.enabled, sensitive_data.default_action),
    output_sensitive_data: whereOn(output.enabled, output.sensitive_data),
    output_secrets: whereOn(output.enabled, output.secrets),
    retention: retention.level,
    residency: [...providers.residency],
    require_zero_retention: providers.require_zero_retention,
    fail_open: Object.entries(failure).flatMap(([step, verdict]) => (verdict === 'closed' ? [] : [step])),
  }
}
