import { apiErrors, authErrors } from '../../../kernel/http/errors.ts'
import { job } from '../../../kernel/jobs/tables.ts'
import { Answer, routesOf } from '../../../kernel/route.ts'
import { errors } from '../errors.ts'
import type { AdminServices } from '../services.ts'
import { changeJob, listJobs } from './jobs.ts'
import { ChangeJob, Job, JobFilter } from './schema.ts'

const route = routesOf<AdminServices>()

export const jobRoutes = [
  route.get('/jobs', {
    permission: 'authenticated',
    summary: 'List the jobs one started; with admin:read those of everybody',
    description: 'With `view=queues` (admin:read) the state of each kind of job is in `meta.queues`.',
    query: JobFilter,
    list: { table: job, default: '-created_at' },
    returns: [200, Job],
    errors: [authErrors.forbidden],
    handler: async ({ kernel, tx, actor, query: filter, page }) => {
      const { page: found, queues } = await listJobs(kernel, tx, { actor, filter, page })
      return new Answer(found, { meta: queues === null ? {} : { queues } })
    },
  }),
  route.post('/jobs/{job_id}/retry', {
    permission: 'admin:write',
    summary: 'Put a failed or dead job back in line, or cancel one',
    body: ChangeJob,
    returns: [200, Job],
    audit: 'admin.job.retry',
    errors: [apiErrors.notFound, errors.jobState],
    handler: ({ kernel, tx, actor, params, body }) => changeJob(kernel, tx, { actor, id: params.job_id, body }),
  }),
]
