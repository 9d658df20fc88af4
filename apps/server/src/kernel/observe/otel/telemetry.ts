/**
 * Sends spans and metrics to an OpenTelemetry collector where one is configured. Promises that without one there is
 * nothing to call and no SDK in memory, that a collector that is slow or gone costs a call nothing but what it cannot
 * take, and that stopping waits for it a bounded time. Tested in telemetry.test.ts and gateway/telemetry.
 */

import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../config/load.ts'
import type { Activity } from '../../lifecycle/activity.ts'
import type { Logger } from '../log.ts'
import type { Telemetry } from './port.ts'
import { createSampler } from './sampling.ts'
import type { Sdk } from './sdk.ts'
import { targetsOf } from './targets.ts'

export interface TelemetryInput {
  readonly config: Config
  readonly clock: Pick<Clock, 'after'>
  readonly log: Logger
  readonly node: string
  readonly version: string
}

/** Semantic conventions by which spans, metrics and attributes are named. */
export const conventions = '1.40.0'

/** Milliseconds that a collector may take for the last batch when the process stops. */
const longestFlushMs = 3_000

/** Null without a collector. */
export function createTelemetry(input: TelemetryInput): (Telemetry & Activity) | null {
  const { config, log } = input
  const targets = targetsOf(config)
  if (targets === null) return null
  let sdk: Sdk | null = null
  const guarded = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      log.warn({ err: error }, 'telemetry failed')
    }
  }
  return {
    name: 'telemetry',
    samples: createSampler(config.otelSampler, config.otelSamplerShare),
    record: (span) => {
      if (span.trace.sampled) guarded(() => sdk?.record(span))
    },
    measure: (histogram, value, attributes) => guarded(() => sdk?.measure(histogram, value, attributes)),
    start: async () => {
      const { openSdk } = await import('./sdk.ts')
      const schemaUrl = `https://opentelemetry.io/schemas/${conventions}`
      sdk = openSdk({ ...input, targets, schemaUrl })
    },
    stop: async () => {
      const open = sdk
      sdk = null
      if (open !== null) await within(input.clock, longestFlushMs, open.shutdown())
    },
  }
}

function within(clock: Pick<Clock, 'after'>, ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const limit = clock.after(ms, resolve)
    void work.finally(() => {
      limit.stop()
      resolve()
    })
  })
}
