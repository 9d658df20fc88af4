import type { Kernel } from '../../../kernel/kernel.ts'
import type { AegisApi } from '../../aegis/api.ts'
import type { Concurrency } from '../admission/concurrency.ts'
import type { ProviderHealth } from '../providers/health.ts'
import type { Upstream } from '../providers/vendors/upstream.ts'
import type { Routing } from './routing.ts'

/** The long-lived things a question to a provider is asked with. */
export interface AskingParts {
  readonly kernel: Kernel
  readonly aegis: AegisApi
  readonly health: ProviderHealth
  readonly upstream: Upstream
  readonly concurrency: Concurrency
  readonly routing: Routing
}
