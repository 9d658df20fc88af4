/**
 * Answers that may be given again. Promises that an answer only serves calls of the same partition (tenant, scope, rules,
 * targets), that equal calls under way wait for one answer, and that what is kept is encrypted and holds placeholders,
 * never restored values. The parts are tested beside their files, the whole in cache.test.ts.
 */
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { CachedAnswer } from './entry.ts'
import { createFlights, type Flights } from './flights.ts'
import { type AnswerStore, createAnswerStore } from './store.ts'

export interface AnswerCache {
  /** Calls under way, by the key of what they ask. */
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
