/**
 * Probability of one step, model pm-1 of `@parapet/graph`: P(attempt) × P(success | attempt) × Π(1 − efficacy × coverage).
 * A control that was measured brings its interval along. Pure. Tested in edge.test.ts.
 */
import { anyOf, edgeProbability, exploitAttempt, exploitSuccess } from '@parapet/graph'
import { VectorError } from '@parapet/quant'
import type { AttackerProfile } from '../declared/words.ts'
import { defaultOf, exploitHours, profileAttempts, unscoredSuccess } from './defaults.ts'
import type { TwinControl, TwinEdge, TwinNode, TwinVulnerability } from './state.ts'

export type Basis = 'override' | 'vulnerabilities' | 'measured' | 'default'

export interface EdgeEstimate {
  readonly p: number
  /** With the ends of the intervals of measured controls; equal to p without any. */
  readonly low: number
  readonly high: number
  readonly basis: Basis
  readonly technique: string
  readonly hours: number
  /** Part of p that is left when all vulnerabilities are closed. */
  readonly patched: number
  /** Efficacy × coverage of all controls on the step together, 0..1. */
  readonly stopped: number
}

export interface Attacker {
  readonly profile: AttackerProfile
  readonly horizonDays: number
}

export interface Ends {
  readonly source: TwinNode
  readonly target: TwinNode
  /** Vulnerabilities of the target and of the software that it runs. */
  readonly vulnerabilities: readonly TwinVulnerability[]
}

const open: ReadonlySet<string> = new Set(['exploitable', 'in_triage'])

export function estimateEdge(edge: TwinEdge, ends: Ends, attacker: Attacker): EdgeEstimate {
  const { source, target } = ends
  const standing = defaultOf({ ...edge, source: source.kind, target: target.kind })
  const hours = edge.hours ?? standing.hours
  const { technique } = standing
  const controls = target.controls.filter((control) => actsOn(control, technique))
  const stopped = 1 - controls.reduce((rest, { efficacy, coverage }) => rest * (1 - efficacy * coverage), 1)
  if (edge.p_override !== null) {
    const p = edge.p_override
    return { p, low: p, high: p, basis: 'override', technique, hours, patched: p, stopped }
  }
  const attempt = standing.attempt === 'always' ? 1 : profileAttempts[attacker.profile].attempt
  const plain = { attempt, success: standing.success }
  const exploited = exploitation(edge, ends, attacker)
  const standsOnExploits = edge.kind === 'exploits' && ends.vulnerabilities.length > 0
  const without = standsOnExploits ? 0 : edgeProbability({ ...plain, controls })
  const joined = (bound: Bound) => {
    const acting = controls.map((control) => boundOf(control, bound))
    const own = standsOnExploits ? 0 : edgeProbability({ ...plain, controls: acting })
    const used = exploited === 0 ? 0 : edgeProbability({ attempt: 1, success: exploited, controls: acting })
    return anyOf([own, used])
  }
  const basis = exploited > 0 ? 'vulnerabilities' : controls.some(isMeasured) ? 'measured' : 'default'
  return {
    p: joined('mean'),
    low: joined('low'),
    high: joined('high'),
    ...{ basis, technique, hours: exploited > without && edge.hours === null ? exploitHours : hours },
    ...{ patched: without, stopped },
  }
}

type Bound = 'mean' | 'low' | 'high'

/** The attacker's lowest probability is the control's highest efficacy. */
function boundOf({ efficacy, coverage, measured }: TwinControl, bound: Bound) {
  if (measured === null || bound === 'mean') return { efficacy, coverage }
  return { efficacy: bound === 'low' ? measured.high : measured.low, coverage }
}

const isMeasured = ({ measured }: TwinControl): boolean => measured !== null

/** A control on a technique acts on its sub-techniques. */
export function actsOn({ techniques }: Pick<TwinControl, 'techniques'>, technique: string): boolean {
  return techniques === null || techniques.some((one) => technique === one || technique.startsWith(`${one}.`))
}

/** Probability that one of the open vulnerabilities is exploited, without controls. */
function exploitation(edge: TwinEdge, { source, vulnerabilities }: Ends, attacker: Attacker): number {
  if (edge.kind !== 'exploits' && edge.kind !== 'network_reach') return 0
  const foothold = source.kind === 'external' ? 'none' : 'low'
  const { floor } = profileAttempts[attacker.profile]
  return anyOf(
    vulnerabilities
      .filter(({ vex_state: state }) => open.has(state))
      .map(({ cvss_vector: vector, epss, kev }) => {
        const attempt = exploitAttempt({
          ...{ kev: kev ?? false, epss, horizonDays: attacker.horizonDays, profileFloor: floor },
        })
        return attempt * successOf(vector, foothold)
      }),
  )
}

function successOf(vector: string | null, foothold: 'none' | 'low'): number {
  if (vector === null || !vector.startsWith('CVSS:4.0/')) return unscoredSuccess
  try {
    return exploitSuccess(vector, foothold)
  } catch (error) {
    if (error instanceof VectorError) return unscoredSuccess
    throw error
  }
}
