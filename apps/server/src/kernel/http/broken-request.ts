/**
 * Answers what arrives and is no HTTP request: the parser refused it, so there is no route, no hook and no reply, only a
 * socket. The answer is a problem document with the fixed headers all the same, and the connection is closed, because
 * where the next request would begin is anybody's guess. Tested in test/kernel/broken-requests.test.ts.
 */
import type { Socket } from 'node:net'
import { apiErrors } from '../errors/errors.ts'
import type { ProblemError } from '../errors/problem.ts'
import type { Kernel } from '../kernel.ts'
import type { LimitDecision } from '../limits/port.ts'
import { limitHeaders } from './headers.ts'
import { rawProblem } from './raw-problem.ts'

export type AnswerBroken = (error: Error & { readonly code?: string }, socket: Socket) => void

export function createBrokenAnswer(kernel: Kernel): AnswerBroken {
  const facts = { random: kernel.random, clock: kernel.clock, publicUrl: kernel.config.publicUrl }
  const meter = kernel.metrics.route('ANY', 'none')
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const problem = problemOf(error.code)
    meter.observe(problem.status, 0)
    void strangerLimit(kernel, socket.remoteAddress ?? '').then((limit) => {
      const answer = rawProblem(problem, { ...facts, path: '', headers: limitHeaders(limit) })
      socket.end(answer, () => socket.destroy())
    })
  }
}

/** Counted by address like every other stranger; the answer is the same over the limit, for the connection ends anyway. */
async function strangerLimit(kernel: Kernel, ip: string): Promise<LimitDecision> {
  const rule = { limit: kernel.config.rateLimitCredential, windowMs: 60_000 }
  return kernel.limits.take(`{address}:credential:${ip}`, rule)
}

function problemOf(code: string | undefined): ProblemError {
  if (code === 'HPE_HEADER_OVERFLOW') return apiErrors.headersTooLarge()
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return apiErrors.tooSlow()
  return apiErrors.validation({ what: 'This is not an HTTP request.' })
}
