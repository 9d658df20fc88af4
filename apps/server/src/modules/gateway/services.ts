import type { Kernel } from '../../kernel/kernel.ts'
import type { Activity } from '../../kernel/module.ts'
import type { AegisApi } from '../aegis/api.ts'
import type { IamApi } from '../iam/api.ts'
import { createAnswerCache } from './answer-cache.ts'
import { createConcurrency } from './concurrency.ts'
import { createAnalyses } from './detection/analyses.ts'
import { recordHealth } from './health-changes.ts'
import { createPipeline, type Pipeline } from './pipeline/order.ts'
import { loadSnapshot } from './policy/load.ts'
import { createTenantSnapshots, type TenantSnapshots } from './policy/snapshot.ts'
import { createProviderHealth } from './providers/health.ts'
import { createCallRecorder } from './records/recorder.ts'
import { createRunningCalls } from './running-calls.ts'

export interface GatewayServices {
  readonly kernel: Kernel
  readonly aegis: AegisApi
  readonly iam: IamApi
  readonly pipeline: Pipeline
  readonly snapshots: TenantSnapshots
  /** Lets what is queued for the log be stored before the process ends. */
  readonly recording: Activity
}

interface Neighbors {
  readonly aegis: AegisApi
  readonly iam: IamApi
}

export function createGateway(kernel: Kernel, { aegis, iam }: Neighbors): GatewayServices {
  const snapshots = createTenantSnapshots(kernel, (tenantId) => loadSnapshot({ kernel, iam }, tenantId))
  iam.onRolesChanged(snapshots.forget)
  const running = createRunningCalls()
  const analyses = createAnalyses(kernel)
  const recorder = createCallRecorder(kernel, analyses)
  aegis.onActivation((killSwitch) => running.abortCovered(killSwitch, kernel.clock.now()))
  const health = createProviderHealth({
    clock: kernel.clock,
    fraction: () => kernel.random.fraction(),
    changed: (change) => kernel.background('provider health', recordHealth(kernel, change)),
  })
  const pipeline = createPipeline({
    kernel,
    aegis,
    snapshots,
    running,
    analyses,
    recorder,
    health,
    concurrency: createConcurrency(),
    cache: createAnswerCache(kernel),
  })
  return {
    kernel,
    aegis,
    iam,
    pipeline,
    snapshots,
    recording: { name: 'gateway records', start: async () => {}, stop: () => recorder.drained() },
  }
}
