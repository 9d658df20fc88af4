import type { Facts } from '../../../kernel/facts/facts.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { FaultRegistry } from '../chaos/registry.ts'

/** What routes, jobs and handlers of the module work with. */
export interface ResilienceServices {
  readonly kernel: Kernel
  readonly facts: () => Facts
  /** The rules that inject faults on this instance. */
  readonly registry: FaultRegistry
}
