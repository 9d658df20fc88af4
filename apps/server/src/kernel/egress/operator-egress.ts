import type { Config } from '../config/load.ts'
import type { Clock } from '../kernel.ts'
import { createEgress, type Egress } from './fetch.ts'

/** The way out that the operator's settings allow. */
export function operatorEgress(
  { privateUpstreams, egressPorts }: Pick<Config, 'privateUpstreams' | 'egressPorts'>,
  { monotonic }: Pick<Clock, 'monotonic'>,
): Egress {
  return createEgress({ allowedPrivate: privateUpstreams, ports: egressPorts.map(Number), now: monotonic })
}
