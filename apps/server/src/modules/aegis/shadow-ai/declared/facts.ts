import Type from 'typebox'
import { sql } from '../../../../kernel/db/sql.ts'
import { defineFact } from '../../../../kernel/facts/define.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../../kernel/schema/types.ts'
import { serviceStatuses, serviceTypes } from './service-states.ts'

const Count = Type.Integer({ minimum: 0 })
const mostServices = 200

const StatusCounts = Object.fromEntries(serviceStatuses.map((status) => [status, Count])) as Record<
  (typeof serviceStatuses)[number],
  typeof Count
>

export const shadowAiFact = defineFact({
  name: 'aegis.shadow_ai',
  description: 'Discovered AI services by status, their requests, and the 200 riskiest of them.',
  permission: 'aegis:read',
  schema: strictObject({
    services: strictObject(StatusCounts),
    requests: Count,
    sanctioned_requests: Count,
    last_ingestion_at: nullable(Timestamp),
    riskiest: Type.Array(
      strictObject({
        ...{ id: Uuid, name: Type.String(), type: oneOf(...serviceTypes), status: oneOf(...serviceStatuses) },
        ...{ risk_score: Type.Number(), users: Count },
      }),
      { maxItems: mostServices },
    ),
  }),
  read: async ({ tx }) => {
    const rows = await tx.query(sql<{ status: (typeof serviceStatuses)[number]; services: number; requests: number }>`
      select status, count(*)::int as services, sum(requests)::bigint as requests
      from aegis_shadow_ai_service group by status`)
    const last = await tx.first(sql<{ at: string | null }>`select max(created_at) as at from aegis_shadow_ai_ingestion`)
    const riskiest = await tx.query(sql<{
      id: string
      name: string
      type: (typeof serviceTypes)[number]
      status: (typeof serviceStatuses)[number]
      risk_score: number
      users: number
    }>`
      select id, name, type, status, risk_score, users from aegis_shadow_ai_service
      order by risk_score desc, id desc limit ${mostServices}`)
    const of = (status: string) => rows.find((row) => row.status === status)
    const counted = { discovered: 0, under_review: 0, sanctioned: 0, tolerated: 0, banned: 0 }
    for (const { status, services } of rows) counted[status] = services
    return {
      services: counted,
      requests: rows.reduce((sum, { requests }) => sum + requests, 0),
      sanctioned_requests: of('sanctioned')?.requests ?? 0,
      last_ingestion_at: last?.at ?? null,
      riskiest: [...riskiest],
    }
  },
})
