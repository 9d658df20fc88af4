/**
 * The posture of a tenant: `100 × Σ weight × value` over six components, lowered to the lowest cap. A component without
 * data counts 0, and `confidence` is the weight of those with data. Pure; tested in posture-score.test.ts.
 */
import { hygieneOf, type McpHygiene } from '../mcp/hygiene/hygiene.ts'
import type { Cap, Component, ComponentName } from './schema.ts'

export const weights: Readonly<Record<ComponentName, number>> = {
  agent_governance: 0.2,
  guardrail_coverage: 0.2,
  mcp_hygiene: 0.2,
  detection_response: 0.15,
  threat_load: 0.15,
  shadow_ai: 0.1,
}

/** Caps in points. That of a kill switch is the trust score's own for the pillar of security. */
const capPoints = { unresolved_critical: 70, kill_switch_active: 40 } as const

/** Agents of one tier that are in use. */
export interface AgentTier {
  readonly tier: number
  readonly agents: number
  readonly owned: number
  /** Whose review is not overdue. */
  readonly reviewed: number
  /** All of whose credentials are at most 90 days old. */
  readonly fresh: number
}

export interface PostureInputs {
  /** Null where nothing measures it. */
  readonly agents: readonly AgentTier[] | null
  /** Alerts of the last 30 days that are resolved or late, and those resolved in time; null without any. */
  readonly response: { readonly alerts: number; readonly inTime: number } | null
  /** Null while nothing is watched. */
  readonly threats: {
    readonly unresolved: number
    readonly critical: number
    /** `Σ severity × 2^(−age ÷ 7 d)`: critical 10, high 5, medium 2, low 0.5. */
    readonly pressure: number
  } | null
  /** Requests to AI services in the last 30 days. */
  readonly shadowAi: { readonly requests: number; readonly approved: number; readonly banned: number } | null
  /** Pairs of an active agent and a tool that it uses, by the agent's tier; null without agents. */
  readonly guardrails: readonly GuardedPairs[] | null
  /** Null without a registered MCP server that lists a tool. */
  readonly mcp: McpHygiene | null
  readonly killSwitchActive: boolean
}

export interface GuardedPairs {
  readonly tier: number
  readonly pairs: number
  /** Under an enforced guardrail. */
  readonly covered: number
}

export interface PostureScore {
  readonly score: number
  readonly confidence: number
  readonly components: Component[]
  readonly caps: Cap[]
}

/** Pressure that lowers the threat load by a factor of e. */
const pressureScale = 20

export function postureScore(inputs: PostureInputs): PostureScore {
  const components = [
    agentGovernance(inputs.agents),
    guardrailCoverage(inputs.guardrails),
    mcpHygiene(inputs.mcp),
    detectionResponse(inputs.response),
    threatLoad(inputs.threats),
    shadowAi(inputs.shadowAi),
  ]
  const caps = capsOf(inputs)
  const sum = 100 * components.reduce((all, { weight, value }) => all + weight * value, 0)
  const confidence = components.reduce((all, { weight, has_data: has }) => all + (has ? weight : 0), 0)
  return {
    score: rounded(Math.min(sum, ...caps.map(({ max }) => max)), 10),
    confidence: rounded(confidence, 100),
    components,
    caps,
  }
}

function capsOf({ threats, killSwitchActive }: PostureInputs): Cap[] {
  const reasons = [
    ...((threats?.critical ?? 0) > 0 ? (['unresolved_critical'] as const) : []),
    ...(killSwitchActive ? (['kill_switch_active'] as const) : []),
  ]
  return reasons.map((reason) => ({ reason, max: capPoints[reason] }))
}

/** For parts of AEGIS that do not exist yet, and for those without data. */
const unmeasured = (name: ComponentName): Component => ({
  name,
  weight: weights[name],
  value: 0,
  has_data: false,
  inputs: {},
})

function measured(name: ComponentName, value: number, inputs: Readonly<Record<string, number>>): Component {
  return {
    name,
    weight: weights[name],
    value: rounded(Math.min(1, Math.max(0, value)), 10_000),
    has_data: true,
    inputs: Object.fromEntries(Object.entries(inputs).map(([input, amount]) => [input, rounded(amount, 10_000)])),
  }
}

/** Each agent weighs its tier, and each of owner, review and credentials is a third. */
function agentGovernance(tiers: PostureInputs['agents']): Component {
  if (tiers === null || tiers.length === 0) return unmeasured('agent_governance')
  const weighted = (of: (tier: AgentTier) => number): number => tiers.reduce((all, one) => all + one.tier * of(one), 0)
  const all = weighted(({ agents }) => agents)
  const good = weighted(({ owned, reviewed, fresh }) => (owned + reviewed + fresh) / 3)
  const inputs = tiers.flatMap(({ tier, agents, owned, reviewed, fresh }) => [
    ...[[`tier_${tier}_agents`, agents] as const, [`tier_${tier}_owned`, owned] as const],
    ...[[`tier_${tier}_reviewed`, reviewed] as const, [`tier_${tier}_fresh_credentials`, fresh] as const],
  ])
  return measured('agent_governance', all === 0 ? 0 : good / all, Object.fromEntries(inputs))
}

function mcpHygiene(found: PostureInputs['mcp']): Component {
  if (found === null) return unmeasured('mcp_hygiene')
  const { servers, tools, approved, withFindings } = found
  return measured('mcp_hygiene', hygieneOf(found), { servers, tools, approved, with_findings: withFindings })
}

/** Each pair weighs the tier of its agent. */
function guardrailCoverage(tiers: PostureInputs['guardrails']): Component {
  const all = (tiers ?? []).reduce((sum, { tier, pairs }) => sum + tier * pairs, 0)
  if (tiers === null || all === 0) return unmeasured('guardrail_coverage')
  const covered = tiers.reduce((sum, one) => sum + one.tier * one.covered, 0)
  const inputs = tiers.flatMap((one) => [
    ...[[`tier_${one.tier}_pairs`, one.pairs] as const, [`tier_${one.tier}_covered`, one.covered] as const],
  ])
  return measured('guardrail_coverage', covered / all, Object.fromEntries(inputs))
}

function detectionResponse(response: PostureInputs['response']): Component {
  if (response === null || response.alerts === 0) return unmeasured('detection_response')
  const { alerts, inTime } = response
  return measured('detection_response', inTime / alerts, { alerts, in_time: inTime })
}

function threatLoad(threats: PostureInputs['threats']): Component {
  if (threats === null) return unmeasured('threat_load')
  const { unresolved, critical, pressure } = threats
  return measured('threat_load', Math.exp(-pressure / pressureScale), { unresolved, critical, pressure })
}

/** The approved share, less the share of banned services that are used all the same. */
function shadowAi(found: PostureInputs['shadowAi']): Component {
  if (found === null || found.requests === 0) return unmeasured('shadow_ai')
  const { requests, approved, banned } = found
  return measured('shadow_ai', (approved - banned) / requests, { requests, approved, banned })
}

const rounded = (value: number, steps: number): number => Math.round(value * steps) / steps
