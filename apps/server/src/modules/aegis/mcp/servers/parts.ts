import type { Kernel } from '../../../../kernel/kernel.ts'
import type { UpstreamLink } from '../upstream/exchange.ts'

/** The rules' surroundings. */
export interface McpParts {
  readonly kernel: Kernel
  readonly link: UpstreamLink
}
