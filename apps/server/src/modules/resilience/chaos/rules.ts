/**
 * Rules that inject faults: which operation is hit, and by what. Promises that a rule whose lease or time is over, whose
 * allowance is used up, or whose tenant is another hits nothing, and that all operations of one request meet one fate.
 * Pure. Tested in rules.test.ts.
 */
import { type Distribution, lawOf } from '@parapet/quant'
import type { AbortWatch } from '../../../kernel/base/abort.ts'
import type { Failure, Fault, FaultPoint, SeamName } from '../../../kernel/faults/seams.ts'
import type { FaultBody } from '../declared/scenario-schema.ts'
import { protectedPoint } from './protected.ts'
import { fraction } from './selection.ts'

/** The facts of a running experiment that each instance needs. */
export interface RuleSet {
  readonly experimentId: string
  readonly tenantId: string
  readonly faults: readonly FaultBody[]
  /** Above 0, up to 100. */
  readonly percentage: number
  readonly seed: string
  /** Requests whose ids begin so are hit, and no others; null for all. */
  readonly requestPrefix: string | null
}

export interface LiveRules extends RuleSet {
  /** Of the monotonic clock: nothing is hit from then on unless the lease is renewed. */
  leaseUntilMs: number
  /** Operations that this instance may still hit. */
  allowance: number
  readonly release: AbortWatch
  /** Told of every operation that is hit. */
  readonly hit: (hit: Hit) => void
}

export interface Hit {
  readonly seam: SeamName
  readonly target: string
  readonly requestId: string | null
  readonly kind: FaultBody['kind']
  readonly delayMs: number
}

/** The longest delay; a call's own time limits are shorter. */
export const longestDelayMs = 600_000

/** The fault for an operation; null leaves it alone. */
export function decide(rules: LiveRules, seam: SeamName, point: FaultPoint, nowMs: number): Fault | null {
  if (rules.tenantId !== point.tenantId || nowMs >= rules.leaseUntilMs || rules.allowance < 1) return null
  if (rules.requestPrefix !== null && point.requestId?.startsWith(rules.requestPrefix) !== true) return null
  const fault = rules.faults.find((each) => each.seam === seam && matches(each, point))
  if (fault === undefined || protectedPoint(seam, point)) return null
  const name = point.requestId ?? `${point.target} ${nowMs}`
  if (fraction(rules.seed, name) * 100 >= rules.percentage) return null
  const delayMs = delayOf(fault, fraction(rules.seed, `delay ${name}`))
  if (point.again !== true) {
    rules.allowance -= 1
    rules.hit({ seam, target: point.target, requestId: point.requestId ?? null, kind: fault.kind, delayMs })
  }
  return { ...faultOf(fault, delayMs), release: rules.release }
}

function matches({ seam, targets }: FaultBody, { target, route }: FaultPoint): boolean {
  const name = seam === 'database' ? (route ?? '') : target
  return targets === undefined || targets.some((pattern) => isLike(name, pattern))
}

export const isLike = (name: string, pattern: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern

function delayOf({ kind, delay_ms: law }: FaultBody, share: number): number {
  if (kind === 'blackhole') return longestDelayMs
  if (law === undefined) return 0
  return Math.min(longestDelayMs, Math.max(0, lawOf(law as Distribution).quantile(share)))
}

function faultOf(fault: FaultBody, delayMs: number): Fault {
  const { kind, after_pieces: pieces = 0 } = fault
  switch (kind) {
    case 'latency':
      return { delayMs }
    case 'first_token_delay':
      return { answer: { firstPieceDelayMs: delayMs } }
    case 'reset':
      return { answer: { resetAfter: pieces } }
    case 'malformed':
      return { answer: { malformedAfter: pieces } }
    case 'duplicate':
      return { twice: true }
    default:
      return { delayMs, failure: failureOf(fault) }
  }
}

function failureOf({ kind, status, retry_after_seconds: seconds }: FaultBody): Failure {
  const retry = seconds === undefined ? {} : { retryAfterMs: seconds * 1000 }
  if (kind === 'unavailable') return { kind: 'unavailable' }
  if (kind === 'rate_limit') return { kind: 'rate_limited', status: 429, ...retry }
  if (kind === 'error') return { kind: 'server_error', status: status ?? 500, ...retry }
  return { kind: 'timeout' }
}
