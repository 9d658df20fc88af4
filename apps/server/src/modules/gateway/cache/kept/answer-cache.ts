/**
 * Answers that may be served again. An answer only serves calls of the same partition (tenant, scope, rules, targets),
 * equal calls running at the same time wait for one answer, and stored answers are encrypted and hold placeholders,
 * never restored values. The parts are tested beside their files, the whole in cache.test.ts.
 */
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { CachedAnswer } from './entry.ts'
import { createFlights, type Flights } from './flights.ts'
import { type AnswerStore, createAnswerStore } from './store.ts'

export interface AnswerCache {
  /** Running calls, by the key of their question. */
  readonly flights: Flights<CachedAnswer>
  readonly store: AnswerStore
}

export function createAnswerCache(kernel: Kernel): AnswerCache {
  const flights = createFlights<CachedAnswer>()
  kernel.metrics.observed(
    { name: 'gateway_calls_joined', help: 'Calls that wait for the answer of an equal call' },
    flights.waiting,
  )
  return { flights, store: createAnswerStore(kernel) }
}
