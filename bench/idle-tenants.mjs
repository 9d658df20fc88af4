// Jobs that idle tenants cost: simulated hours of the schedule, beside the same schedule with a job for every tenant.
import { startChild } from './child.mjs'
import { report } from './report.mjs'

const child = await startChild('bench/servers/idle-tenants.ts')
const { type: _due, ...withDue } = await child.ask({ type: 'simulate', due: true, hours: 24 })
const { type: _every, ...forEvery } = await child.ask({ type: 'simulate', due: false, hours: 1 / 6 })
await child.stop()
report('idle-tenants', {
  only_tenants_with_work: withDue,
  every_tenant: forEvery,
  share_of_jobs: withDue.jobs_per_second / forEvery.jobs_per_second,
})
