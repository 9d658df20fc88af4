/**
 * Providers that reject requests for the usage of a stream. Some servers that speak OpenAI's form refuse a call that
 * contains one; it is left out from then on, and their streams are counted here. Tested in usage-refusals.test.ts.
 */
import type { Clock } from '../../../kernel/base/clock.ts'
import type { Provider } from './provider.ts'

export interface UsageRefusals {
  has(provider: Provider): boolean
  learn(provider: Provider): void
}

/** A newer version of a server may take it. */
const rememberedMs = 3_600_000

export function createUsageRefusals(clock: Pick<Clock, 'now'>): UsageRefusals {
  const untilOf = new Map<string, number>()
  return {
    has: (provider) => (untilOf.get(placeOf(provider)) ?? 0) > clock.now(),
    learn: (provider) => {
      for (const [place, until] of untilOf) if (until <= clock.now()) untilOf.delete(place)
      untilOf.set(placeOf(provider), clock.now() + rememberedMs)
    },
  }
}

/** At another address another server may answer. */
const placeOf = ({ id, baseUrl }: Provider): string => `${id} ${baseUrl ?? ''}`

const refusingStatuses: ReadonlySet<number> = new Set([400, 422])

/** Whether an answer may be about the question. */
export const mayRefuse = (status: number): boolean => refusingStatuses.has(status)

/** Whether the body of such an answer is about the question. */
export const isAboutUsage = (body: string): boolean => /stream_options|include_usage/.test(body)
