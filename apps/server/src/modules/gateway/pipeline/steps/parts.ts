import type { Kernel } from '../../../../kernel/kernel.ts'
import type { AegisApi } from '../../../aegis/api.ts'
import type { Concurrency } from '../../admission/concurrency.ts'
import type { RunningCalls } from '../../admission/running-calls.ts'
import type { AnswerCache } from '../../cache/kept/answer-cache.ts'
import type { Topics } from '../../detection/topics/topics.ts'
import type { Analyses } from '../../inspection/analyses.ts'
import type { Opinions } from '../../inspection/opinions.ts'
import type { Money } from '../../money/money.ts'
import type { TenantSnapshots } from '../../policy/snapshot.ts'
import type { InputGuard, OutputGuard } from '../../ports/call-guards.ts'
import type { ProviderHealth } from '../../providers/health.ts'
import type { Upstream } from '../../providers/vendors/upstream.ts'
import type { CallRecorder } from '../../records/recorder.ts'
import type { Routing } from '../../routing/routing.ts'
import type { CallWatch } from '../../telemetry/watch.ts'
import type { TokenCounts } from '../../tokens/exact-counts.ts'
import type { WholeInspection } from '../contract/whole-inspection.ts'

/** The long-lived things the steps work with. */
export interface PipelineParts {
  readonly kernel: Kernel
  readonly aegis: AegisApi
  readonly snapshots: TenantSnapshots
  readonly running: RunningCalls
  readonly concurrency: Concurrency
  readonly money: Money
  readonly analyses: Analyses
  /** Looks at large answers elsewhere. */
  readonly wholes: WholeInspection
  /** Of outside classifiers. */
  readonly opinions: Opinions
  readonly topics: Topics
  /** Of tokens, where an estimate would refuse a call. */
  readonly tokenCounts: TokenCounts
  readonly cache: AnswerCache
  readonly health: ProviderHealth
  readonly routing: Routing
  readonly upstream: Upstream
  readonly recorder: CallRecorder
  readonly watch: CallWatch
  /** Guards of other modules. */
  readonly guards: { readonly input: () => readonly InputGuard[]; readonly output: () => readonly OutputGuard[] }
}
