/** The reviewed part of an agent, its rating, and the uses that it allows. Pure. Tested in declaration.test.ts. */
import { registrableDomain } from './registrable-domain.ts'
import { riskScore, type Tier, tierOf } from './risk-tier.ts'
import { type AgentRow, type Declaration, reviewed } from './schema.ts'
import { matchesWildcard } from './wildcard.ts'
import type { DataClass, UseKind } from './words.ts'

const members = Object.keys(reviewed) as readonly (keyof Declaration)[]

export function declarationOf(row: Declaration): Declaration {
  return Object.fromEntries(members.map((name) => [name, row[name]])) as Declaration
}

/** Whether a change touches a member that needs a review. */
export function touchesReviewed(row: Declaration, change: Partial<Declaration>): boolean {
  return members.some((name) => change[name] !== undefined && !isEqual(change[name], row[name]))
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

export interface Rating {
  readonly risk_score: number
  readonly computed_tier: Tier
  readonly risk_tier: Tier
}

/** @param callsPerDay observed; null before there is traffic. The declared number counts where it is more. */
export function rate(
  declaration: Declaration,
  { callsPerDay, raisedTier }: { readonly callsPerDay: number | null; readonly raisedTier: number | null },
): Rating {
  const score = riskScore({
    autonomyLevel: declaration.autonomy_level,
    dataClasses: declaration.data_classes,
    capabilities: declaration.tools.map(({ capability }) => capability),
    untrustedInput: declaration.untrusted_input,
    callsPerDay: Math.max(declaration.expected_calls_per_day, callsPerDay ?? 0),
  })
  const computed = tierOf(score)
  return { risk_score: score, computed_tier: computed, risk_tier: raised(computed, raisedTier) }
}

function raised(computed: Tier, raisedTier: number | null): Tier {
  return raisedTier !== null && raisedTier > computed ? (raisedTier as Tier) : computed
}

export interface SeenUse {
  readonly kind: UseKind
  /** Of a tool `<server>/<tool>`, of a model `<provider>/<model>`. */
  readonly name: string
}

type Allowing = Pick<AgentRow, 'models' | 'tools' | 'destinations' | 'data_classes'>

const dataRank: Readonly<Record<DataClass, number>> = { public: 0, internal: 1, confidential: 2, restricted: 3 }

/**
 * Whether the declaration allows a use. A data class is allowed by itself and by every higher one; a destination by its
 * name and by its registrable domain.
 */
export function allows(agent: Allowing, { kind, name }: SeenUse): boolean {
  if (kind === 'data_class') return allowsClass(agent, name)
  if (kind === 'destination') return agent.destinations.some((allowed) => allowsDestination(allowed, name))
  const at = name.indexOf('/')
  const [group, item] = [name.slice(0, at), name.slice(at + 1)]
  return kind === 'tool'
    ? agent.tools.some(({ server_slug, tool }) => matchesWildcard(server_slug, group) && matchesWildcard(tool, item))
    : agent.models.some(({ provider, model }) => matchesWildcard(provider, group) && matchesWildcard(model, item))
}

function allowsClass({ data_classes: allowed }: Allowing, name: string): boolean {
  const rank = new Map<string, number>(Object.entries(dataRank)).get(name)
  return rank !== undefined && allowed.some((each) => dataRank[each] >= rank)
}

function allowsDestination(allowed: string, name: string): boolean {
  const wanted = allowed.toLowerCase()
  return wanted === name || registrableDomain(wanted) === name
}
