/**
 * The whole program in front of the upstream at BENCH_UPSTREAM, with a job that simulates in a thread. Asked over IPC to
 * begin the simulation (`simulate`) and to cancel it (`cancel`, which tells how long the thread went on).
 */
import type { TenantId } from '../../apps/server/src/kernel/access/actor.ts'
import { sql } from '../../apps/server/src/kernel/db/sql.ts'
import { defineModule } from '../../apps/server/src/kernel/module/module.ts'
import { modules } from '../../apps/server/src/modules.ts'
import { answerUsage } from '../usage.mjs'
import { simulateYears } from './simulation.ts'
import { startWholeProgram } from './whole-program.ts'

const kind = 'cybertwins.simulate'
const years = 100_000_000
let ended = (): void => undefined

const simulating = defineModule({
  name: 'cybertwins',
  prefix: 'cybertwins',
  errors: {},
  tables: [],
  migrations: [],
  routes: [],
  emits: [],
  services: () => undefined,
  tasks: [simulateYears],
  jobs: [
    {
      kind,
      lane: 'long',
      maxAttempts: 1,
      leaseMs: 30_000,
      everyMs: null,
      // Again and again, so that it outlasts every measurement.
      run: async ({ thread, signal }) => {
        try {
          while (!signal.aborted) await thread(simulateYears, { years })
        } finally {
          ended()
        }
      },
    },
  ],
})

const { program, port, token, post } = await startWholeProgram(
  {
    PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.1/32',
    PARAPET_RATE_LIMIT_EXPENSIVE: '100000000',
  },
  { modules: [...modules, simulating], threadEntry: new URL('./bench-lanes-thread.mjs', import.meta.url) },
)
await post('/gateway/providers', {
  name: 'mock',
  kind: 'openai_compatible',
  base_url: process.env.BENCH_UPSTREAM,
  models: ['mock-1'],
  secrets: [{ id: 'main', value: 'not-a-real-key-0123456789' }],
})
const { db, random, metrics } = program.assembled.kernel
const tenant = await db.system('bench', (tx) => tx.first(sql<{ id: TenantId }>`select id from iam_tenant limit 1`))
if (tenant === null) throw new Error('there is no tenant')
const scope = { tenantId: tenant.id }
let jobId = ''

async function busy(): Promise<boolean> {
  return (await metrics.render()).includes('parapet_threads_busy{lane="long"} 1')
}

async function settled(wanted: boolean): Promise<void> {
  while ((await busy()) !== wanted) await new Promise((resolve) => setTimeout(resolve, 1))
}

async function simulate(): Promise<void> {
  jobId = random.uuid()
  await db.tenant(scope, (tx) => tx.enqueue({ id: jobId, kind, payload: {} }))
  await settled(true)
  process.send?.({ type: 'simulate' })
}

/** From the commit to the end of the thread's work. */
async function cancel(): Promise<void> {
  const over = new Promise<void>((resolve) => {
    ended = resolve
  })
  const row = await db.tenant(scope, (tx) =>
    tx.first(sql<{ progress: number }>`select progress from job where id = ${jobId}`),
  )
  await db.tenant(scope, (tx) => tx.cancel(jobId))
  const from = performance.now()
  await over
  await settled(false)
  const tookMs = performance.now() - from
  const after = await db.tenant(scope, (tx) =>
    tx.first(sql<{ status: string }>`select status from job where id = ${jobId}`),
  )
  process.send?.({ type: 'cancel', tookMs, progress: row?.progress, status: after?.status })
}

process.on('message', ({ type }: { readonly type: string }) => {
  if (type === 'simulate') void simulate()
  if (type === 'cancel') void cancel()
})
answerUsage({ port, token })
