/**
 * Begins the runs of a tenant that are queued: one job for all of them, so that a short run costs one transaction and no job
 * of its own. A run that comes to something that takes more than deciding goes on in its own job, asked for in the same
 * commit. Whatever this process leaves behind is still queued. Tested in queue-job.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { advanceStored } from './advance.ts'
import type { RunRow } from './declared/schema.ts'
import { openRun, patchRun } from './journal.ts'
import { askForQueue, askToGoOn, queueJobKind } from './run-job.ts'

/** Runs that one job begins; then other work of the tenant has its turn. */
const mostRuns = 200
const batch = 50
/** Transactions at a time. */
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
  let begun = 0
  while (begun < mostRuns && !signal.aborted) {
    const queued = [
      ...(await kernel.db.read(
        tenantId,
        sql<Queued>`
          select id, depth, traceparent from platform_run where status = 'queued' order by created_at, id limit ${batch}`,
      )),
    ]
    if (queued.length === 0) return
    begun += queued.length
    const work = async (): Promise<void> => {
      for (let next = queued.shift(); next !== undefined; next = queued.shift())
        await begin(services, tenantId, next).catch(leaveToItself(services, tenantId, next))
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }
  await kernel.db.tenant({ tenantId }, askForQueue)
}

function begin(services: PlatformServices, tenantId: TenantId, { id, depth, traceparent }: Queued): Promise<void> {
  const origin = { traceparent, causationDepth: depth }
  return services.kernel.db.tenant({ tenantId, origin }, async (tx) => {
    const opened = await openRun(tx, id)
    if (opened === null || opened.run.status !== 'queued') return
    const { next, changed } = await advanceStored(services, tx, opened)
    if (next.kind !== 'run') return
    if (changed.length === 0) await patchRun(tx, services.kernel, opened.run, { status: 'running' })
    await askToGoOn(tx, id)
  })
}

/** A run that cannot be begun keeps no other one waiting: it is tried again in a job of its own. */
const leaveToItself =
  ({ kernel }: PlatformServices, tenantId: TenantId, { id }: Queued) =>
  (): Promise<void> =>
    kernel.db.tenant({ tenantId }, async (tx) => {
      const opened = await openRun(tx, id)
      if (opened === null || opened.run.status !== 'queued') return
      await patchRun(tx, kernel, opened.run, { status: 'running' })
      await askToGoOn(tx, id)
    })
