/** The whole program with an active agent, whose key is the token of the measurement. */
import type { TenantId } from '../../apps/server/src/kernel/access/actor.ts'
import { sql } from '../../apps/server/src/kernel/db/sql.ts'
import { answerUsage } from '../usage.mjs'
import { startWholeProgram } from './whole-program.ts'

const { program, port, post, token } = await startWholeProgram({
  ...(process.env.BENCH_DATABASE_URL === undefined ? {} : { PARAPET_DATABASE_URL: process.env.BENCH_DATABASE_URL }),
})
const me = await fetch(`http://127.0.0.1:${port}/api/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } })
const { user, tenant } = ((await me.json()) as { data: { user: { id: string }; tenant: { id: TenantId } } }).data
const agent = await post('/aegis/agents', {
  ...{ name: 'Bench', slug: 'bench', owner_user_id: user.id, purpose: 'Sends spans as fast as it can' },
  ...{ environment: 'dev', data_classes: ['public'], autonomy_level: 0, untrusted_input: false },
})
const { kernel } = program.assembled
const tenantId = tenant.id
// An approval takes two people, of whom the measurement has one.
await kernel.db.tenant({ tenantId }, (tx) =>
  tx.execute(sql`update aegis_agent set status = 'active' where id = ${agent.id}`),
)
const { secret } = await post(`/aegis/agents/${agent.id}/credentials`, { kind: 'api_key', api_key: { name: 'bench' } })
answerUsage({ port, token: secret })
