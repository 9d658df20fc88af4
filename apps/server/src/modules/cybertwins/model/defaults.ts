/**
 * Numbers of the edge model where nothing was measured: techniques, probabilities of success and hours by kind of
 * relation, and how likely attackers of a profile try. They are judgment, open to see and overridden by relations with
 * `p_override`. Pure.
 */
import { aiEdgeDefaults } from '@parapet/graph'
import type { AssetKind, AttackerProfile, RelationKind } from '../declared/words.ts'

export interface KindDefault {
  readonly technique: string
  /** P(success | attempt). */
  readonly success: number
  readonly hours: number
  /** `always`: follows from the step before. `profile`: an attempt from outside that not every attacker makes. */
  readonly attempt: 'always' | 'profile'
}

/** Relations that describe a defense and are no step of an attack. */
export const defenses: ReadonlySet<RelationKind> = new Set(['protects', 'approves'])

const byKind: Readonly<Record<RelationKind, KindDefault>> = {
  network_reach: { technique: 'T1210', success: 0.3, hours: 24, attempt: 'profile' },
  exploits: { technique: 'T1190', success: 0.4, hours: 16, attempt: 'profile' },
  authenticates_as: { technique: 'T1078', success: 0.25, hours: 8, attempt: 'profile' },
  member_of: { technique: 'T1078', success: 0.95, hours: 0.5, attempt: 'always' },
  admin_of: { technique: 'T1098', success: 0.9, hours: 1, attempt: 'always' },
  runs_on: { technique: 'T1611', success: 0.3, hours: 16, attempt: 'always' },
  contains_secret: { technique: 'T1552', success: 0.5, hours: 4, attempt: 'always' },
  reads: { technique: 'T1213', success: 0.9, hours: 1, attempt: 'always' },
  writes: { technique: 'T1565', success: 0.6, hours: 2, attempt: 'always' },
  trusts: { technique: 'T1199', success: 0.1, hours: 80, attempt: 'profile' },
  invokes_tool: { technique: 'AML.T0053', success: 0.95, hours: 0.25, attempt: 'always' },
  serves_tool: { technique: 'AML.T0110', success: 0.3, hours: 8, attempt: 'always' },
  feeds_content: { technique: 'AML.T0051.001', success: 0.4, hours: 2, attempt: 'always' },
  retrieves_from: { technique: 'AML.T0051.001', success: 0.4, hours: 2, attempt: 'always' },
  remembers: { technique: 'AML.T0080', success: 0.3, hours: 2, attempt: 'always' },
  egress_to: { technique: 'AML.T0086', success: 0.8, hours: 0.5, attempt: 'always' },
  depends_on: { technique: 'T1195.001', success: 0.05, hours: 160, attempt: 'profile' },
  protects: { technique: '', success: 0, hours: 0, attempt: 'always' },
  approves: { technique: '', success: 0, hours: 0, attempt: 'always' },
}

/** Planting content where others read it, before any model has read it. */
const planting: KindDefault = { technique: 'AML.T0066', success: 0.9, hours: 1, attempt: 'always' }
const plantedIn: ReadonlySet<AssetKind> = new Set(['prompt_source', 'vector_index', 'data_store'])
const toolReading: KindDefault = { technique: 'AML.T0085.001', success: 0.9, hours: 0.5, attempt: 'always' }
/** Keys that were leaked somewhere outside. */
const leakedSecret: KindDefault = { technique: 'T1552', success: 0.05, hours: 40, attempt: 'profile' }
const usedSecret: KindDefault = { technique: 'T1078', success: 0.95, hours: 0.5, attempt: 'always' }
const agentSecret: KindDefault = { technique: 'AML.T0083', success: 0.2, hours: 1, attempt: 'always' }

export interface Step {
  readonly kind: RelationKind
  readonly technique: string | null
  readonly source: AssetKind
  readonly target: AssetKind
}

/** Technique, success and hours of a step; a technique of ATLAS that the model knows gives its own success. */
export function defaultOf({ kind, technique, source, target }: Step): KindDefault {
  const standing = standingOf({ kind, source, target })
  if (technique === null) return standing
  return { ...standing, technique, success: aiEdgeDefaults[technique] ?? standing.success }
}

function standingOf({ kind, source, target }: Omit<Step, 'technique'>): KindDefault {
  if (kind === 'feeds_content' && plantedIn.has(target)) return planting
  if (kind === 'reads' && source === 'tool') return toolReading
  if (kind === 'contains_secret' && source === 'agent') return agentSecret
  if (kind === 'contains_secret' && source === 'external') return leakedSecret
  if (kind === 'authenticates_as' && source === 'secret') return usedSecret
  return byKind[kind]
}

/** How likely attackers of a profile attempt a step within the horizon, and the least for a vulnerability. */
export const profileAttempts: Readonly<Record<AttackerProfile, { readonly attempt: number; readonly floor: number }>> =
  {
    opportunist: { attempt: 0.3, floor: 0.01 },
    criminal: { attempt: 0.6, floor: 0.03 },
    insider: { attempt: 0.5, floor: 0.03 },
    apt: { attempt: 1, floor: 0.2 },
  }

/** Hours to exploit a vulnerability. */
export const exploitHours = 16
/** P(success | attempt) of a vulnerability without a CVSS 4.0 vector: the base of the model and AC:H. */
export const unscoredSuccess = 0.45
