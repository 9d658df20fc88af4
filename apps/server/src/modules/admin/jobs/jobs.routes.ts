import type { TenantId } from '../../../kernel/access/actor.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { job } from '../../../kernel/jobs/tables.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { Answer, routesOf } from '../../../kernel/module/route.ts'
import { errors } from '../errors/errors.ts'
import type { AdminServices } from '../services/admin-services.ts'
import { tenantOfScope } from '../services/scope.ts'
import { assertSeesQueues, changeJob, listJobs, queuesOf } from './jobs.ts'
import { ChangeJob, Job, JobFilter, OfJobScope, type Queue } from './schema.ts'

const route = routesOf<AdminServices>()

export const jobRoutes = [
  route.get('/jobs', {
    permission: 'authenticated',
    summary: 'List the jobs one started; with admin:read those of everybody',
    description:
      'With `view=queues` (admin:read) the state of each kind of job is in `meta.queues`. With `scope=platform`, for ' +
      'operators, the jobs are those of the installation itself, and the queues those of all tenants together.',
    query: JobFilter,
    list: { table: job, default: '-created_at' },
    returns: [200, Job],
    errors: [authErrors.forbidden],
    handler: async (context) => {
      const { kernel, actor, query: filter, page } = context
      const tenantId = tenantOfScope(context, filter.scope)
      if (filter.view === 'queues') assertSeesQueues(actor)
      const found = await kernel.db.tenant({ tenantId, readOnly: true }, (tx) =>
        listJobs(kernel, tx, { actor, filter, page }),
      )
      const queues = filter.view === 'queues' ? await queuesIn(kernel, tenantId, filter.scope) : null
      return new Answer(found, { meta: queues === null ? {} : { queues } })
    },
  }),
  route.post('/jobs/{job_id}/retry', {
    permission: 'admin:write',
    summary: 'Put a failed or dead job back in line, or cancel one',
    description: 'With `scope=platform`, for operators, a job of the installation itself.',
    query: OfJobScope,
    body: ChangeJob,
    returns: [200, Job],
    audit: 'admin.job.retry',
    errors: [apiErrors.notFound, authErrors.forbidden, errors.jobState],
    ownTransactions: true,
    handler: (context) => {
      const { kernel, services, actor, params, body, query } = context
      const scope = scopeOf(context, tenantOfScope(context, query.scope))
      const parts = { clock: kernel.clock, jobKinds: kernel.jobKinds, cancelled: services.jobCancelled }
      return kernel.db.tenant(scope, (tx) => changeJob(parts, tx, { actor, id: params.job_id, body }))
    },
  }),
]

function queuesIn(
  { db, clock }: Pick<Kernel, 'db' | 'clock'>,
  tenantId: TenantId,
  scope: JobFilter['scope'],
): Promise<readonly Queue[]> {
  if (scope === 'platform') return db.system('queues of all tenants', (tx) => queuesOf(tx, clock.now()))
  return db.tenant({ tenantId, readOnly: true }, (tx) => queuesOf(tx, clock.now()))
}
