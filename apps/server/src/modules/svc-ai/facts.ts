/**
 * Facts of the module for reports, checks and models of others. Tested in sources/platform-facts.test.ts.
 */
import Type, { type Static } from 'typebox'
import { sql } from '../../kernel/db/sql.ts'
import { defineFact } from '../../kernel/facts/define.ts'
import { nullable, strictObject } from '../../kernel/schema/types.ts'

const Count = Type.Integer({ minimum: 0 })
const Sources = strictObject({
  sources: Count,
  ready: Count,
  failed: Count,
  open_to_tenant: Type.Integer({ minimum: 0, description: 'Sources that everybody in the tenant may read' }),
  documents: Count,
  chunks: Count,
  quarantined_chunks: Count,
})

export const sourcesFact = defineFact({
  name: 'svc_ai.sources',
  description: 'Knowledge sources by state, with their chunks and the quarantined ones.',
  permission: 'svc-ai:read',
  schema: Sources,
  read: async ({ tx }) => {
    const row = await tx.first(sql<Static<typeof Sources>>`
      select count(*)::int as sources, count(*) filter (where status = 'ready')::int as ready,
        count(*) filter (where status = 'failed')::int as failed,
        count(*) filter (where visibility = 'tenant')::int as open_to_tenant,
        coalesce(sum(documents), 0)::int as documents, coalesce(sum(chunks), 0)::int as chunks,
        coalesce(sum(quarantined_chunks), 0)::int as quarantined_chunks
      from svc_ai_source`)
    return row ?? { sources: 0, ready: 0, failed: 0, open_to_tenant: 0, documents: 0, chunks: 0, quarantined_chunks: 0 }
  },
})

const dayMs = 86_400_000
const defaultDays = 30
const Answers = strictObject({
  answers: Count,
  answered: Count,
  partial: Count,
  not_found: Count,
  mean_groundedness: nullable(Type.Number({ minimum: 0, maximum: 1 })),
})

export const answersFact = defineFact({
  name: 'svc_ai.answers',
  description: 'Answers that are kept, by how far sources support them, of the last 30 days or of `days`.',
  permission: 'svc-ai:read',
  schema: Answers,
  query: strictObject({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })) }),
  read: async ({ tx, at, query: { days = defaultDays } }) => {
    const since = new Date(Date.parse(at) - days * dayMs).toISOString()
    const row = await tx.first(sql<Static<typeof Answers>>`
      select count(*)::int as answers, count(*) filter (where answer_status = 'answered')::int as answered,
        count(*) filter (where answer_status = 'partial')::int as partial,
        count(*) filter (where answer_status = 'not_found')::int as not_found,
        avg(groundedness)::float8 as mean_groundedness
      from svc_ai_message where answer_status is not null and created_at >= ${since}`)
    return row ?? { answers: 0, answered: 0, partial: 0, not_found: 0, mean_groundedness: null }
  },
})
