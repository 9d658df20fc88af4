/**
 * Share of agents' activity under enforced guardrails: for the posture, and for the pillar of security of the trust
 * score. Only what is enforced in all sessions counts. Tested in coverage.test.ts.
 */
import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { TrustSignal } from '../../../../kernel/trust-signals.ts'
import type { Target } from '../declared/schema.ts'
import type { GuardrailKind } from '../declared/words.ts'
import { stageOf } from '../engine/compile.ts'
import type { EvaluationContext, GuardedAgent } from '../engine/context.ts'
import { compileTarget } from '../engine/target.ts'

export interface EnforcedGuardrail {
  readonly kind: GuardrailKind
  readonly target: Target
}

/** An agent in use with the tools seen in its traffic, as `<server>/<tool>`. */
export interface CoveredAgent extends GuardedAgent {
  readonly tools: readonly string[]
}

export interface Coverage {
  readonly agents: number
  /** Agents with an enforced guardrail on their input and one on their output. */
  readonly covered: number
  /** Pairs of an agent and a tool it uses by the agent's tier, and those under an enforced guardrail. */
  readonly pairs: readonly { readonly tier: number; readonly pairs: number; readonly covered: number }[]
}

/** Pure. */
export function coverageOf(guardrails: readonly EnforcedGuardrail[], agents: readonly CoveredAgent[]): Coverage {
  const compiled = guardrails.map(({ kind, target }) => ({ stage: stageOf(kind), target: compileTarget(target) }))
  const isCovered = (stage: EvaluationContext['stage'], agent: CoveredAgent, tool: string | null): boolean =>
    compiled.some((one) => one.stage === stage && (one.target?.(contextOf(stage, agent, tool)) ?? true))
  const tiers = new Map<number, { pairs: number; covered: number }>()
  for (const agent of agents) {
    const sums = tiers.get(agent.tier) ?? { pairs: 0, covered: 0 }
    const covered = agent.tools.filter((tool) => isCovered('tool', agent, tool)).length
    tiers.set(agent.tier, { pairs: sums.pairs + agent.tools.length, covered: sums.covered + covered })
  }
  return {
    agents: agents.length,
    covered: agents.filter((agent) => isCovered('input', agent, null) && isCovered('output', agent, null)).length,
    pairs: [...tiers].map(([tier, sums]) => ({ tier, ...sums })).toSorted((a, b) => a.tier - b.tier),
  }
}

export function contextOf(
  stage: EvaluationContext['stage'],
  agent: CoveredAgent,
  use: string | null,
): EvaluationContext {
  const at = use?.indexOf('/') ?? -1
  return {
    ...{ tenantId: '', stage, agent, user: null, session: null, history: [], atMs: 0 },
    server: use === null ? null : { slug: use.slice(0, at), trust: 'untrusted', labels: [] },
    tool: use === null ? null : { name: use.slice(at + 1), labels: [], annotations: {}, pinned: true },
    request: { id: null, ip: null, model: null, tags: [] },
  }
}

export async function readCoverage(tx: Tx): Promise<Coverage> {
  const guardrails = await tx.query(sql<EnforcedGuardrail>`
    select rail.kind, one.definition -> 'target' as target
    from aegis_guardrail rail join aegis_guardrail_version one
      on one.guardrail_id = rail.id and one.number = coalesce(rail.base_version, rail.live_version)
    where rail.base_version is not null or (rail.status = 'enforce' and rail.rollout_percent >= 100)`)
  const agents = await tx.query(sql<CoveredAgent>`
    select id, risk_tier as tier, autonomy_level as autonomy, tags, environment as env, data_classes as "dataClasses",
      coalesce((select array_agg(used.name order by used.name) from aegis_agent_use used
        where used.agent_id = agent.id and used.kind = 'tool'), '{}') as tools
    from aegis_agent agent where status = 'active'`)
  return coverageOf(guardrails, agents)
}

/** @param at ISO time of the score */
export async function coverageSignal(tx: Tx, at: string): Promise<TrustSignal> {
  const { agents, covered } = await readCoverage(tx)
  const measured =
    agents === 0 ? { good: null, n: null, observed_at: null } : { good: covered, n: agents, observed_at: at }
  return { id: 'guardrail_coverage', value: null, ...measured, source_ref: '/api/v1/aegis/guardrails' }
}
