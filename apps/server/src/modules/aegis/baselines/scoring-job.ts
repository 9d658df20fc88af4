import { sql } from '../../../kernel/db/sql.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import type { AgentRow } from '../agents/schema.ts'
import { agents } from '../agents/tables.ts'
import { graceMs, scoreAgent } from './score-agent.ts'

const hourMs = 3_600_000
/** Agents of one run; those that wait longest first. */
const mostAgents = 500

/** Scores the hours that are over, an agent in each transaction. */
export const scoringJob: JobDeclaration<unknown> = {
  kind: 'aegis.baseline.score',
  lane: 'long',
  maxAttempts: 3,
  leaseMs: 120_000,
  everyMs: 300_000,
  due: ({ ago }) => sql`exists (
    select from aegis_agent scored
    where scored.tenant_id = tenant.id and scored.scored_until <= ${ago(hourMs + graceMs)})`,
  run: async ({ kernel, transaction }) => {
    const until = new Date(kernel.clock.now() - hourMs - graceMs).toISOString()
    const due = await transaction((tx) =>
      tx.query(
        sql<{ id: string }>`
          select id from aegis_agent where scored_until <= ${until} order by scored_until, id limit ${mostAgents}`,
      ),
    )
    for (const { id } of due)
      await transaction(async (tx) => {
        await tx.lock('aegis_activity', id)
        const [agent] = await tx.query(
          sql<AgentRow>`select ${agents.columns} from aegis_agent where id = ${id} and scored_until <= ${until}`,
        )
        if (agent !== undefined) await scoreAgent(kernel, tx, agent)
      })
  },
}
