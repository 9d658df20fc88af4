/**
 * Begins the runs of a tenant that are queued: one job for all of them, so that short runs share transactions and
 * have no jobs of their own. A run that comes to something that takes more than deciding goes on in its own job, asked for in the same
 * commit. Runs that this process leaves behind are still queued. Tested in engine.test.ts and apps/server/test/crash.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { advanceAll } from './advance.ts'
import type { RunRow } from './declared/schema.ts'
import { openQueued, patchRun } from './journal.ts'
import { askForQueue, askToGoOn, queueJobKind } from './run-job.ts'

/** Runs that one job begins; then other work of the tenant has its turn. */
const mostRuns = 400
const batch = 100
/** Runs of one transaction, and transactions at a time. */
const mostTogether = 25
const atOnce = 4

export const queueJob: JobDeclaration<PlatformServices> = {
  kind: queueJobKind,
  maxAttempts: 20,
  leaseMs: 30_000,
  everyMs: null,
  run,
}

/** Tenants whose queue this process works off; another job of theirs has it look once more. */
const busy = new WeakMap<Kernel, Map<TenantId, { again: boolean }>>()

async function run(context: JobContext<PlatformServices>): Promise<void> {
  const { kernel, tenantId } = context
  const here = busy.get(kernel) ?? new Map<TenantId, { again: boolean }>()
  busy.set(kernel, here)
  const working = here.get(tenantId)
  if (working !== undefined) {
    working.again = true
    return
  }
  const state = { again: false }
  here.set(tenantId, state)
  try {
    do {
      state.again = false
      await workOff(context)
    } while (state.again && !context.signal.aborted)
  } finally {
    here.delete(tenantId)
  }
}

type Queued = Pick<RunRow, 'id' | 'depth' | 'traceparent'>

async function workOff({ services, tenantId, signal }: JobContext<PlatformServices>): Promise<void> {
  const { kernel } = services
  for (let begun = 0; begun < mostRuns && !signal.aborted; ) {
    const queued = await kernel.db.read(
      tenantId,
      sql<Queued>`
        select id, depth, traceparent from platform_run where status = 'queued' order by created_at, id limit ${batch}`,
    )
    if (queued.length === 0) return
    begun += queued.length
    const groups = [...groupsOf(queued)]
    const work = async (): Promise<void> => {
      for (let group = groups.shift(); group !== undefined; group = groups.shift())
        await begin(services, tenantId, group).catch(leaveToThemselves(services, tenantId, group))
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }
  await kernel.db.tenant({ tenantId }, askForQueue)
}

/** Runs of one origin that follow one another, so that their events have it: as one batch of events begins them. */
function* groupsOf(queued: readonly Queued[]): Generator<readonly Queued[]> {
  let group: Queued[] = []
  for (const one of queued) {
    const [first] = group
    const isSame = first === undefined || (first.depth === one.depth && first.traceparent === one.traceparent)
    if (!isSame || group.length === mostTogether) {
      yield group
      group = []
    }
    group.push(one)
  }
  if (group.length > 0) yield group
}

async function begin(services: PlatformServices, tenantId: TenantId, group: readonly Queued[]): Promise<void> {
  const { depth = 1, traceparent = null } = group[0] ?? {}
  const origin = { traceparent, causationDepth: depth }
  await services.kernel.db.tenant({ tenantId, origin }, async (tx) => {
    const ids = group.map(({ id }) => id)
    for (const { opened, next, changed } of await advanceAll(services, tx, await openQueued(tx, ids))) {
      if (next.kind !== 'run') continue
      if (changed.length === 0) await patchRun(tx, services.kernel, opened.run, { status: 'running' })
      await askToGoOn(tx, opened.run.id)
    }
  })
}

/** Runs that cannot be begun keep no other one waiting: each is tried again in a job of its own. */
const leaveToThemselves =
  ({ kernel }: PlatformServices, tenantId: TenantId, group: readonly Queued[]) =>
  (): Promise<void> =>
    kernel.db.tenant({ tenantId }, async (tx) => {
      const ids = group.map(({ id }) => id)
      for (const { run } of await openQueued(tx, ids)) {
        await patchRun(tx, kernel, run, { status: 'running' })
        await askToGoOn(tx, run.id)
      }
    })
