/** Parapet with the notes module of the kernel's tests: one resource from memory, one list from the database. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TenantId } from '../../apps/server/src/kernel/access/actor.ts'
import { identityPort } from '../../apps/server/src/kernel/auth/port.ts'
import { loadConfig } from '../../apps/server/src/kernel/config/load.ts'
import { sql } from '../../apps/server/src/kernel/db/sql.ts'
import { defineModule } from '../../apps/server/src/kernel/module/module.ts'
import { fill } from '../../apps/server/src/kernel/module/ports/port.ts'
import { routesOf } from '../../apps/server/src/kernel/module/route.ts'
import { startProgram } from '../../apps/server/src/program.ts'
import { Note, notesModule } from '../../apps/server/test/kernel/notes-module.ts'
import { answerUsage } from '../usage.mjs'
import { everybody } from './everybody.ts'
import { sample } from './sample.mjs'

const memoryModule = defineModule({
  name: 'platform',
  prefix: 'platform',
  errors: {},
  tables: [],
  migrations: [],
  emits: [],
  services: () => undefined,
  fills: [fill(identityPort, () => everybody)],
  routes: [
    routesOf<undefined>().get('/sample/{sample_id}', {
      permission: 'risk:read',
      summary: 'Sample',
      returns: [200, Note],
      handler: async () => sample.data,
    }),
  ],
})

const tenant = sample.data.tenant_id as TenantId
const config = loadConfig({
  PARAPET_PORT: '0',
  PARAPET_DATA_DIR: mkdtempSync(join(tmpdir(), 'parapet-bench-')),
  PARAPET_ACCESS_LOG: process.env.BENCH_ACCESS_LOG ?? 'false',
  PARAPET_LOG_LEVEL: process.env.BENCH_ACCESS_LOG === 'true' ? 'info' : 'warn',
  PARAPET_DATABASE_URL: process.env.BENCH_DATABASE_URL,
  PARAPET_KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  PARAPET_RATE_LIMIT_API: '100000000',
})
const program = await startProgram({ config, modules: [notesModule, memoryModule] })
const { kernel } = program.assembled
const rows = Number(process.env.BENCH_ROWS ?? 0)
await kernel.db.tenant({ tenantId: tenant }, async (tx) => {
  await tx.execute(sql`delete from test_note`)
  await tx.execute(sql`
    insert into test_note (id, created_at, updated_at, title, body)
    select gen_random_uuid(), now() - n * interval '1 second', now(), 'Note number ' || n, 'A body of ordinary length for a list row, number ' || n
    from generate_series(1, ${rows}::int) n`)
})
const { token } = await kernel.auth.signAccess({
  sub: kernel.random.uuid(),
  tid: tenant,
  sid: kernel.random.uuid(),
  role: 'bench',
  permissions: ['risk:admin'],
  auth_time: 0,
  amr: ['pwd'],
  acr: '1',
})
await program.app.listen({ port: 0, host: '127.0.0.1' })
answerUsage({ port: program.app.addresses()[0]?.port, token })
