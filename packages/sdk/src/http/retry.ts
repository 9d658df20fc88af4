import { ConnectionError, ProblemError } from './problem.ts'
import type { Request } from './request.ts'
import type { Runtime } from './runtime.ts'
import { wait } from './runtime.ts'

export interface RetryRules {
  /** Attempts after the first. */
  readonly most: number
  /** A server that asks for a longer wait, in milliseconds, is not waited for. */
  readonly longestWaitMs: number
}

export const defaultRetry: RetryRules = { most: 3, longestWaitMs: 30_000 }

/** A kill switch and a locked account end when a person or the clock says so, not within a few seconds. */
const decided: ReadonlySet<string | null> = new Set(['GW-010', 'AUTH-008'])

const firstMs = 500
const lastMs = 30_000

/** Milliseconds before attempt `attempt` (from 0): a random share of 0.5 s, 1 s, 2 s … 30 s ("full jitter"). */
export function backoffMs(attempt: number, random: () => number): number {
  return random() * Math.min(lastMs, firstMs * 2 ** attempt)
}

export interface Retrying {
  readonly rules: RetryRules
  readonly runtime: Runtime
}

/** Does the work until it succeeds, cannot be repeated safely or was repeated often enough. */
export async function retrying<T>(parts: Retrying, request: Request, work: () => Promise<T>): Promise<T> {
  let answerLost = false
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      request.signal?.throwIfAborted()
      const delay = delayMs(parts, { request, error, attempt, answerLost })
      if (attempt >= parts.rules.most || delay === null) throw error
      answerLost ||= error instanceof ConnectionError
      await wait(parts.runtime, delay, request.signal)
    }
  }
}

interface Failure {
  readonly request: Request
  readonly error: unknown
  readonly attempt: number
  readonly answerLost: boolean
}

function delayMs({ rules, runtime }: Retrying, failure: Failure): number | null {
  if (!mayRepeat(failure)) return null
  const asked = failure.error instanceof ProblemError ? failure.error.retryAfterMs : null
  if (asked === null) return backoffMs(failure.attempt, runtime.random)
  // Some chance on top, so that all who were told the same second do not come back in it together.
  return asked > rules.longestWaitMs ? null : asked + runtime.random() * firstMs
}

function mayRepeat({ request, error, answerLost }: Failure): boolean {
  if (error instanceof ConnectionError) return request.method === 'GET' || request.idempotencyKey !== undefined
  if (!(error instanceof ProblemError)) return false
  // After a lost answer this conflict says that the first attempt is still running.
  if (answerLost && error.status === 409 && error.errorCode === 'API-011') return true
  return (error.status === 429 || error.status === 503) && !decided.has(error.errorCode)
}
