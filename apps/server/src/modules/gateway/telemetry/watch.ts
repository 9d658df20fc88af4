/**
 * Sees every call begin and end and tells Prometheus and, where one is configured, the OpenTelemetry collector. Promises
 * that nothing it does changes or fails a call. Tested in telemetry.test.ts.
 */

import type { Kernel } from '../../../kernel/kernel.ts'
import { childOf, parseTraceparent } from '../../../kernel/observe/trace.ts'
import type { CallParts } from '../pipeline/contract/call-parts.ts'
import type { BreakerState } from '../providers/breaker.ts'
import type { ProviderHealth } from '../providers/health.ts'
import { contentOf } from './content.ts'
import { measureCall } from './measures.ts'
import { createMeters } from './meters.ts'
import { callSpans } from './spans.ts'

export interface CallWatch {
  began(): void
  /** Every call that began ends once. */
  ended(state: CallParts): void
}

const breakerStates = ['closed', 'open', 'half_open'] as const satisfies readonly BreakerState[]

export function createCallWatch(kernel: Kernel, health: Pick<ProviderHealth, 'breakers'>): CallWatch {
  const { metrics, clock, log, telemetry } = kernel
  const meters = createMeters(metrics)
  let running = 0
  metrics.observed({ name: 'gateway_calls_in_flight', help: 'Calls that have begun and not ended' }, () => running)
  metrics.observedBy(
    { name: 'gateway_breakers', help: 'Breakers of keys and models', label: 'state', values: breakerStates },
    health.breakers,
  )
  return {
    began: () => {
      running += 1
    },
    ended: (state) => {
      running -= 1
      const nowMs = clock.monotonic()
      try {
        meters.ended(state, nowMs)
        if (telemetry === null) return
        measureCall(telemetry, state, nowMs)
        for (const span of spansOf(kernel, state, nowMs)) telemetry.record(span)
      } catch (error) {
        log.error({ err: error, call: state.facts.id }, 'a call could not be counted')
      }
    },
  }
}

function spansOf({ config, random }: Kernel, state: CallParts, nowMs: number) {
  const parent = parseTraceparent(state.facts.traceparent)
  if (parent === null || !parent.sampled) return []
  const content = config.otelContent ? contentOf(state) : {}
  return callSpans({ state, trace: childOf(parent, random.hex), parentSpanId: parent.spanId, nowMs, content })
}
