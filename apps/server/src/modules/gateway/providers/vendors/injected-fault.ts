import type { Clock } from '../../../../kernel/base/clock.ts'
import { EgressError } from '../../../../kernel/egress/errors.ts'
import { type Failure, type Faults, InjectedFault, undergo, waitThrough } from '../../../../kernel/faults/seams.ts'
import type { AnswerEvent } from '../../call/call.ts'
import type { NetworkAdapter, ProviderAdapter } from '../adapter.ts'
import { faultOfEgress, faultOfStatus, UpstreamFault } from '../fault.ts'
import { errorBodyOf } from './error-bodies.ts'
import type { Ask } from './upstream.ts'

/** Spoils the events of an answer. */
export type Spoiling = (events: AsyncIterable<AnswerEvent> | Iterable<AnswerEvent>) => AsyncGenerator<AnswerEvent>

/**
 * The seam `upstream`. A call that is made to fail has not been sent, so it costs nothing and its budgets get back all
 * that they reserved; a call whose answer is spoiled has been sent. Returns the way to spoil the answer, or null.
 * @throws UpstreamFault as the failure says, or the signal's reason once it aborted
 */
export async function passUpstreamSeam(
  { faults, clock }: { readonly faults: Faults; readonly clock: Clock },
  adapter: ProviderAdapter,
  { tenantId, requestId, target: { provider, model }, stream, signal }: SeamedAsk,
): Promise<Spoiling | null> {
  const hook = faults.seams.upstream
  if (hook === undefined || tenantId === null) return null
  const fault = hook({ tenantId, target: `${provider.name}/${model}`, requestId: requestId ?? null })
  if (fault === null) return null
  try {
    await undergo(fault, { seam: 'upstream', clock, signal })
  } catch (error) {
    throw error instanceof InjectedFault ? faultOf(adapter, error, provider.kind) : error
  }
  const { answer, release = null } = fault
  if (answer === undefined) return null
  const { firstPieceDelayMs = 0, resetAfter = null, malformedAfter = null } = answer
  return async function* spoil(events) {
    if (firstPieceDelayMs > 0) await waitThrough(firstPieceDelayMs, { clock, signal, release })
    let pieces = 0
    for await (const event of events) {
      const isReleased = release?.aborted === true
      if (!isReleased && isDue(resetAfter, pieces, stream)) throw new EgressError('reset')
      if (!isReleased && isDue(malformedAfter, pieces, stream))
        throw new UpstreamFault('invalid', 'a piece of it is not JSON')
      yield event
      if (event.type === 'text') pieces += 1
    }
  }
}

type SeamedAsk = Pick<Ask, 'tenantId' | 'requestId' | 'target' | 'stream' | 'signal'>

/** A whole answer is one body, which is unusable wherever it is spoiled. */
const isDue = (after: number | null, pieces: number, stream: boolean): boolean =>
  after !== null && (!stream || pieces >= after)

function faultOf(
  adapter: ProviderAdapter,
  error: InjectedFault,
  kind: Ask['target']['provider']['kind'],
): UpstreamFault {
  const { failure } = error
  switch (failure.kind) {
    case 'unavailable':
      return faultOfEgress(new EgressError('connect', { cause: error }))
    case 'timeout':
      return faultOfEgress(new EgressError('timeout_connect', { cause: error }))
    case 'rate_limited':
    case 'server_error': {
      const status = failure.status ?? (failure.kind === 'rate_limited' ? 429 : 500)
      if (adapter.over === 'process') return faultOfStatus(status, error.message, failure.retryAfterMs ?? null)
      return asVendorSays(adapter, failure, { status, body: errorBodyOf(kind, status, error.message) })
    }
    default:
      return failure.kind satisfies never
  }
}

/** Read by the vendor's own adapter, as an answer of the vendor is. */
function asVendorSays(
  adapter: NetworkAdapter,
  { retryAfterMs }: Failure,
  answer: { readonly status: number; readonly body: string },
): UpstreamFault {
  const seconds = retryAfterMs === undefined ? '' : String(Math.ceil(retryAfterMs / 1000))
  return adapter.errorOf({ ...answer, header: (name) => (name.toLowerCase() === 'retry-after' ? seconds : '') })
}
