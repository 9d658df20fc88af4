import type { Facts } from '../../../kernel/facts/facts.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { GatewayApi } from '../../gateway/api.ts'
import type { FaultRegistry } from '../chaos/registry.ts'

/** Services of the module's routes, jobs and handlers. */
export interface ResilienceServices {
  readonly kernel: Kernel
  readonly facts: () => Facts
  readonly gateway: Pick<GatewayApi, 'complete' | 'trafficOfOthers'>
  /** The rules that inject faults on this instance. */
  readonly registry: FaultRegistry
}
