/** Parts of an event that an alert keeps: evidence, entities and severity. Pure. Tested in event-facts.test.ts. */
import type { Entity, Evidence } from '../../alerts/declared/schema.ts'
import { type Severity, severities } from '../../alerts/declared/words.ts'
import type { RuleRecord } from './base/record.ts'
import { numberOf, textOf } from './detection/values.ts'

/** Kind of thing by the member that names it. */
const kinds: readonly (readonly [member: string, type: string])[] = Object.entries({
  user_id: 'user',
  owner_id: 'user',
  agent_id: 'agent',
  key_id: 'api_key',
  api_key_id: 'api_key',
  model: 'model',
  provider: 'provider',
  provider_id: 'provider',
  budget_id: 'budget',
  policy_id: 'policy',
  service_id: 'ai_service',
  server_id: 'mcp_server',
  tool: 'tool',
  guardrail_id: 'guardrail',
  kill_switch_id: 'kill_switch',
  session_id: 'session',
  connection_id: 'sso_connection',
  role_id: 'role',
  backup_id: 'backup',
  risk_id: 'risk',
})

/** Members that name a thing of the kind in words. */
const nameOf: Readonly<Record<string, string>> = { agent_id: 'agent_name', risk_id: 'reference' }

export function entitiesOf({ data }: RuleRecord): readonly Entity[] {
  const entities: Entity[] = []
  for (const [member, type] of kinds) {
    const id = textOf(data[member])
    if (id === null || id === '') continue
    const name = textOf(data[nameOf[member] ?? ''])
    entities.push({ type, id: id.slice(0, 256), name: name?.slice(0, 256) ?? null })
  }
  return entities
}

const mostFacts = 6
const mostSummary = 300

export function evidenceOf({ id, channel, time, data }: RuleRecord): Evidence {
  const request = channel.startsWith('gateway.') ? textOf(data.request_id) : null
  return { id, source: channel, at: time, request_id: request?.slice(0, 64) ?? null, summary: summaryOf(data) }
}

/** The first facts of an event that are short, by their names. */
function summaryOf(data: RuleRecord['data']): string {
  const facts: string[] = []
  collect(data, '', facts)
  return facts.join(', ').slice(0, mostSummary)
}

const unsaid: ReadonlySet<string> = new Set(['tenant_id', 'log_id', 'trace_id', 'audit_id'])

/** Adds facts until there are enough; members of members once, deeper ones not. */
function collect(value: object, prefix: string, facts: string[]): void {
  for (const [name, member] of Object.entries(value)) {
    if (facts.length >= mostFacts) return
    const text = textOf(member)
    if (text !== null) {
      if (text !== '' && !unsaid.has(name)) facts.push(`${prefix}${name}: ${text.slice(0, 80)}`)
    } else if (prefix === '' && typeof member === 'object' && member !== null && !Array.isArray(member))
      collect(member, `${name}.`, facts)
  }
}

/**
 * The level of a rule for one event: one step higher where the attempt was only watched and not stopped, where the agent is
 * of risk tier 4, or where restricted data is in it; never by more than one step.
 */
export function severityOf(level: Severity, { data }: RuleRecord): Severity {
  const isRaised =
    data.monitor === true || data.enforced === false || isTier4(data.risk_tier) || data.data_class === 'restricted'
  const place = severities.indexOf(level)
  return isRaised && level !== 'info' ? (severities[Math.max(0, place - 1)] ?? level) : level
}

const isTier4 = (tier: unknown): boolean => (numberOf(tier) ?? 0) >= 4
