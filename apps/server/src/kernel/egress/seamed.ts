/**
 * The way out behind the seam `http_out`, for calls on behalf of a tenant: webhooks, workflows, fetched sources. Identity
 * providers, key services, audit places and backups take the plain way out, so no fault reaches them. Tested in
 * seamed.test.ts.
 */
import type { Clock } from '../base/clock.ts'
import { type Failure, type Faults, InjectedFault, passSeam } from '../faults/seams.ts'
import { EgressError } from './errors.ts'
import type { EgressRequest, EgressResponse } from './exchange.ts'
import type { Egress } from './fetch.ts'

export interface SeamedEgressParts {
  readonly egress: Egress
  readonly faults: Faults
  readonly clock: Pick<Clock, 'after'>
}

/** On whose behalf calls go out, and for which work, such as `platform.delivery`. */
export interface Purpose {
  readonly tenantId: string
  readonly target: string
}

/** The way out for one tenant's work. A call that is made to fail has not been sent. */
export function tenantEgress({ egress, faults, clock }: SeamedEgressParts, purpose: Purpose): Egress {
  const pass = async (request: EgressRequest): Promise<EgressResponse | null> => {
    const hook = faults.seams.http_out
    if (hook === undefined) return null
    try {
      await passSeam(hook, { seam: 'http_out', ...purpose, clock, signal: request.signal ?? null })
      return null
    } catch (error) {
      if (error instanceof InjectedFault) return outcomeOf(error)
      throw request.signal?.aborted === true ? new EgressError('aborted', { cause: error }) : error
    }
  }
  return {
    ...egress,
    fetch: async (request) => (await pass(request)) ?? egress.fetch(request),
  }
}

/** @throws EgressError where no answer comes */
function outcomeOf(fault: InjectedFault): EgressResponse {
  const { kind } = fault.failure
  if (kind === 'unavailable') throw new EgressError('connect', { cause: fault })
  if (kind === 'timeout') throw new EgressError('timeout_first_byte', { cause: fault })
  return answerOf(fault.failure)
}

function answerOf({ kind, status, retryAfterMs }: Failure): EgressResponse {
  const text = Buffer.from('{"error":"An injected fault"}')
  return {
    status: status ?? (kind === 'rate_limited' ? 429 : 500),
    headers: {
      'content-type': 'application/json',
      ...(retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }),
    },
    body: (async function* () {
      yield text
    })(),
    bytes: async () => text,
    received: () => text.length,
    cancel: () => undefined,
    isPrivate: false,
    timings: { connectMs: 0, firstByteMs: 0 },
  }
}
