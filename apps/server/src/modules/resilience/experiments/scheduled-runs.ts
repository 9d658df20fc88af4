/**
 * Experiments on a timetable: each run is an experiment of its own, with the rights that the author has then and the
 * approval of the timetable. A run that may not start is noted in the journal and left out. Tested in schedule.test.ts.
 */
import { holds, permissionSet } from '../../../kernel/access/permissions.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import { scheduledRun } from '../../../kernel/schedules/schedules.ts'
import { writeJournal } from '../chaos/journal.ts'
import type { ExperimentRow } from '../declared/experiment-schema.ts'
import { experiments } from '../declared/experiment-tables.ts'
import type { ResilienceServices } from '../services/resilience-services.ts'
import { createExperiment } from './create-experiment.ts'
import { isPlatformStopped } from './lever.ts'
import { scheduledKind } from './schedule.ts'

export const scheduledExperiments: JobDeclaration<ResilienceServices> = {
  kind: scheduledKind,
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: null,
  run: runScheduled,
}

/** Facts that probes read are of every module. */
const ceiling = permissionSet([
  ...['resilience:read', 'resilience:write', 'resilience:admin', 'gateway:read', 'gateway:write', 'iam:read'],
  ...['admin:read', 'compliance:read', 'aegis:read', 'risk:read', 'trust:read', 'svc-ai:read', 'cybertwins:read'],
  ...['platform:read', 'data-gov:read'],
])

async function runScheduled(context: JobContext<ResilienceServices>): Promise<void> {
  const { kernel, services, tenantId, payload, id: jobId, complete } = context
  const id = String(payload.experiment_id)
  const plan = await kernel.db.tenant({ tenantId, readOnly: true }, (tx) => experiments.get(tx, id))
  if (plan?.status !== 'scheduled') return
  const platformStopped = await isPlatformStopped(kernel)
  const scheduledAt = scheduledRun(payload)?.scheduled_at ?? null
  try {
    const job = { kind: scheduledKind, id: jobId }
    const actor = await kernel.auth.actAs({ tenantId, userId: plan.created_by, ceiling, job })
    if (!holds(actor.permissions, 'resilience:write')) throw authErrors.forbidden({ permission: 'resilience:write' })
    await complete(async (tx) => {
      const body = bodyOf(plan)
      const made = await createExperiment(services, tx, { actor, body, platformStopped, plan })
      const data = { experiment_id: made.id, scheduled_at: scheduledAt }
      await writeJournal(kernel, tx, id, [{ kind: 'run', data }])
    })
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    const data = { scheduled_at: scheduledAt, error_code: error.code, detail: error.message }
    await complete((tx) => writeJournal(kernel, tx, id, [{ kind: 'skipped', data }]))
  }
}

const bodyOf = ({ scenario_id, scope, blast_radius, ttl_seconds, services, guards }: ExperimentRow) => ({
  ...{ scenario_id, scope, blast_radius, ttl_seconds, services, guards },
  mode: 'automated' as const,
})
