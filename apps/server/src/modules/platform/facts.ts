/** Figures of the module that reports and other modules read by name. Tested in apps/server/test/generated/facts.test.ts. */
import Type from 'typebox'
import { sql } from '../../kernel/db/sql.ts'
import { defineFact } from '../../kernel/facts/define.ts'
import { oneOf, strictObject, Uuid } from '../../kernel/schema/types.ts'
import { integrationKinds, integrationStatuses } from './declared/integration-schema.ts'
import { workflowStatuses } from './workflows/declared/schema.ts'

const Count = Type.Integer({ minimum: 0 })
const Days = strictObject({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90, description: 'Window of what is counted; default 30' })),
})
const dayMs = 86_400_000
const most = 100

const sinceOf = (at: string, { days = 30 }: { readonly days?: number }): string =>
  new Date(Date.parse(at) - days * dayMs).toISOString()

interface WorkflowFigures {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly status: (typeof workflowStatuses)[number]
  readonly runs: number
  readonly completed: number
  readonly failed: number
  readonly waiting: number
}

export const workflowsFact = defineFact({
  name: 'platform.workflows',
  description: 'Workflows that are not archived with their runs of the window, the busiest 100 first.',
  permission: 'platform:read',
  query: Days,
  schema: strictObject({
    enabled: Count,
    runs: Count,
    failed: Count,
    approvals_waiting: Count,
    workflows: Type.Array(
      strictObject({
        ...{ id: Uuid, key: Type.String({ maxLength: 60 }), name: Type.String({ maxLength: 200 }) },
        status: oneOf(...workflowStatuses),
        ...{ runs: Count, completed: Count, failed: Count, waiting: Count },
      }),
      { maxItems: most },
    ),
  }),
  read: async ({ tx, at, query }) => {
    const since = sinceOf(at, query)
    const workflows = await tx.query(sql<WorkflowFigures>`
      select held.id, held.key, held.name, held.status, count(run.id)::int as runs,
        (count(run.id) filter (where run.status = 'completed'))::int as completed,
        (count(run.id) filter (where run.status = 'failed'))::int as failed,
        (count(run.id) filter (where run.status = 'waiting'))::int as waiting
      from platform_workflow held
      left join platform_run run on run.workflow_id = held.id and not run.dry_run and run.created_at >= ${since}
      where held.status <> 'archived' group by held.tenant_id, held.id order by runs desc, held.key limit ${most}`)
    const counts = await tx.first(sql<{ enabled: number; runs: number; failed: number; approvals_waiting: number }>`
      select (select count(*)::int from platform_workflow where status = 'enabled') as enabled,
        (select count(*)::int from platform_run where not dry_run and created_at >= ${since}) as runs,
        (select count(*)::int from platform_run
          where not dry_run and created_at >= ${since} and status = 'failed') as failed,
        (select count(*)::int from platform_run_step step join platform_run run on run.id = step.run_id
          where step.type = 'approve' and step.status = 'waiting' and run.status = 'waiting') as approvals_waiting`)
    return { ...(counts ?? { enabled: 0, runs: 0, failed: 0, approvals_waiting: 0 }), workflows: [...workflows] }
  },
})

interface IntegrationFigures {
  readonly id: string
  readonly name: string
  readonly kind: (typeof integrationKinds)[number]
  readonly status: (typeof integrationStatuses)[number]
  readonly delivered: number
  readonly open: number
  readonly dead: number
}

export const deliveriesFact = defineFact({
  name: 'platform.deliveries',
  description: 'Integrations that are not archived with their deliveries of the window.',
  permission: 'platform:read',
  query: Days,
  schema: strictObject({
    delivered: Count,
    open: Count,
    dead: Count,
    integrations: Type.Array(
      strictObject({
        ...{ id: Uuid, name: Type.String({ maxLength: 100 }), kind: oneOf(...integrationKinds) },
        status: oneOf(...integrationStatuses),
        ...{ delivered: Count, open: Count, dead: Count },
      }),
      { maxItems: most },
    ),
  }),
  read: async ({ tx, at, query }) => {
    const since = sinceOf(at, query)
    const integrations = await tx.query(sql<IntegrationFigures>`
      select held.id, held.name, held.kind, held.status,
        (count(told.id) filter (where told.status = 'delivered'))::int as delivered,
        (count(told.id) filter (where told.status in ('pending', 'delivering', 'retrying')))::int as open,
        (count(told.id) filter (where told.status = 'dead'))::int as dead
      from platform_integration held
      left join platform_delivery told on told.integration_id = held.id and told.created_at >= ${since}
      where held.status <> 'archived' group by held.tenant_id, held.id order by held.name, held.id limit ${most}`)
    const sum = (name: 'delivered' | 'open' | 'dead') => integrations.reduce((total, one) => total + one[name], 0)
    return {
      ...{ delivered: sum('delivered'), open: sum('open'), dead: sum('dead') },
      integrations: [...integrations],
    }
  },
})
