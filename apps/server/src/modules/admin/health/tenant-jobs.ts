import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { TenantCheck } from '../../../kernel/health/checks.ts'
import type { Kernel } from '../../../kernel/kernel.ts'

/** Shows a tenant its own jobs: those that wait, those that run, and those that failed for the last time within a day. */
export function jobCheck(kernel: Pick<Kernel, 'db'>): TenantCheck {
  return { name: 'jobs', run: (tenantId) => ownJobs(kernel, tenantId) }
}

async function ownJobs({ db }: Pick<Kernel, 'db'>, tenantId: TenantId) {
  const [row] = await db.read(
    tenantId,
    sql<{ waiting: number; running: number; dead: number }>`
      select count(*) filter (where status = 'waiting')::int as waiting,
        count(*) filter (where status = 'running')::int as running,
        count(*) filter (where status = 'dead' and finished_at > clock_timestamp() - interval '1 day')::int as dead
      from job`,
  )
  const { waiting = 0, running = 0, dead = 0 } = row ?? {}
  const status = dead > 0 ? ('warn' as const) : ('pass' as const)
  return { status, observed: { waiting, running, dead_last_day: dead } }
}
