import type { Kernel } from '../../kernel/kernel.ts'
import type { AegisApi } from '../aegis/api.ts'
import type { IamApi } from '../iam/api.ts'
import { createConcurrency } from './admission/concurrency.ts'
import { createRunningCalls } from './admission/running-calls.ts'
import { createAnswerCache } from './cache/kept/answer-cache.ts'
import { createClassifiers } from './detection/classifiers/classifiers.ts'
import { createFindingMemory, type FindingMemory } from './detection/memory/finding-memory.ts'
import { createTopics } from './detection/topics/topics.ts'
import { hearOpened, tellOpened } from './health/breaker-news.ts'
import { recordHealth } from './health/health-changes.ts'
import { createAnalyses } from './inspection/analyses.ts'
import { createOpinions } from './inspection/opinions.ts'
import { createMoney } from './money/money.ts'
import { createWholeInspection } from './pipeline/answers/whole-inspection.ts'
import { createPipeline } from './pipeline/order.ts'
import type { PipelineParts } from './pipeline/steps/parts.ts'
import { configurationTopic, createTenantSnapshots } from './policy/snapshot.ts'
import { createProviderHealth } from './providers/health.ts'
import { tellingKeyUse } from './providers/key-use.ts'
import { createUpstream } from './providers/vendors/upstream.ts'
import { createCallRecorder } from './records/recorder.ts'
import { createRouting } from './routing/routing.ts'
import type { GatewayServices } from './services/gateway-services.ts'
import { loadSnapshot } from './snapshots/load.ts'
import { createCallWatch } from './telemetry/watch.ts'
import { createTokenCounts } from './tokens/exact-counts.ts'

export type { GatewayServices }

interface Neighbors {
  readonly aegis: AegisApi
  readonly iam: IamApi
  readonly guards: PipelineParts['guards']
}

export function createGateway(kernel: Kernel, { aegis, iam, guards }: Neighbors): GatewayServices {
  const snapshots = createTenantSnapshots(kernel, (tenantId) => loadSnapshot({ kernel, iam }, tenantId))
  iam.onRolesChanged(snapshots.forget)
  iam.onGroupsChanged(snapshots.forget)
  // Forgets all tenants, because a tenant's settings also apply to its descendants.
  iam.onTenantChanged(snapshots.forgetAll)
  const money = createMoney(kernel, iam)
  const running = createRunningCalls()
  const analyses = createAnalyses({ threads: kernel.threads, memory: findingMemory(kernel, iam) })
  const classifiers = createClassifiers(kernel)
  const recorder = createCallRecorder(kernel, analyses)
  aegis.onActivation((killSwitch) => running.abortCovered(killSwitch, kernel.clock.now()))
  const watched = createProviderHealth({
    clock: kernel.clock,
    fraction: () => kernel.random.fraction(),
    changed: (change) => kernel.background('provider health', recordHealth(kernel, change)),
    opened: (news) => kernel.background('breaker news', tellOpened(kernel, news)),
  })
  const health = tellingKeyUse(kernel, watched)
  hearOpened(kernel, health.adopt)
  const parts: PipelineParts = {
    kernel,
    aegis,
    snapshots,
    running,
    analyses,
    wholes: createWholeInspection(kernel),
    opinions: createOpinions({ clock: kernel.clock, classifiers }),
    topics: createTopics(classifiers.topicModel),
    tokenCounts: createTokenCounts(kernel),
    recorder,
    health,
    routing: createRouting(kernel),
    upstream: createUpstream(kernel),
    concurrency: createConcurrency(),
    money,
    cache: createAnswerCache(kernel),
    watch: createCallWatch(kernel, health),
    guards,
  }
  const pipeline = createPipeline(parts)
  return {
    kernel,
    aegis,
    iam,
    parts,
    pipeline,
    snapshots,
    money,
    classifiers,
    recording: { name: 'gateway records', start: async () => {}, stop: () => drained(parts) },
  }
}

/** Dropped with the rules it was made under, and with its tenant. */
function findingMemory(kernel: Kernel, iam: IamApi): FindingMemory {
  const memory = createFindingMemory(kernel.random)
  kernel.live.on(configurationTopic, (_key, _data, tenantId) => memory.forget(tenantId))
  iam.onTenantChanged(memory.forget)
  return memory
}

/** Log records of answered calls are written before their answers are stored in the cache. */
async function drained({ kernel, recorder, cache }: PipelineParts): Promise<void> {
  // An abandoned call has nothing in the queue yet.
  await kernel.stopping.idle()
  await recorder.drained()
  await cache.store.drained()
}
