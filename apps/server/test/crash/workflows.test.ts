import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TenantId } from '../../src/kernel/access/actor.ts'
import { schemaOf } from '../../src/kernel/assembly/schema.ts'
import { loadConfig } from '../../src/kernel/config/load.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { modules } from '../../src/modules.ts'
import { startProgram } from '../../src/program.ts'
import { isAvailable, openTestDatabase, serverKinds, type TestDatabase } from '../support/database.ts'
import { call, expectCall, signIn } from '../support/http.ts'
import { ofRound } from '../support/sampled.ts'
import { bundleEntries } from '../support/server-process.ts'
import { password } from '../support/world.ts'
import { expectSettled } from './invariants.ts'
import { type Point, pointsOf } from './workflow-points.ts'

/** Six kills for each one that is asked for; 12 and more kill at every write. */
const kills = 6 * Number(process.env.PARAPET_TEST_CRASHES ?? 3)
const seed = Number(process.env.PARAPET_TEST_SEED ?? 20261128)
const admin = 'admin@crash.example'

let bundle: string
let url: string
/** The `Idempotency-Key` of each call, by the run that it is of. */
const keys = new Map<string, string[]>()
const receiver = createServer((request, response) => {
  const key = String(request.headers['idempotency-key'])
  const run = key.split(':')[0] ?? ''
  keys.set(run, [...(keys.get(run) ?? []), key])
  request.resume()
  response.end(JSON.stringify({ n: 5 }))
})
beforeAll(async () => {
  bundle = await bundleEntries({ 'workflow-server': 'apps/server/test/crash/workflow-server.ts' })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
}, 120_000)
afterAll(() => void receiver.close())

const open = (marked: string) => `$\{{ ${marked} }}`
const steps = () => [
  { id: 'name', type: 'set', with: { values: { text: `Stopped ${open('input.model')}` } } },
  { id: 'ask', type: 'http', depends_on: ['name'], with: { method: 'POST', url, body: '{}' } },
  { id: 'is_bad', type: 'condition', depends_on: ['ask'], with: { expression: 'steps.ask.output.body.n > 3' } },
  {
    ...{ id: 'stop', type: 'set_kill_switch', depends_on: ['is_bad'] },
    with: { action: 'activate', scope: 'model', value: open('input.model'), reason: 'Stopped by a workflow' },
  },
  {
    ...{ id: 'tell', type: 'notify', depends_on: ['stop'] },
    with: {
      ...{ title: open('steps.name.output.text'), body: open('steps.stop.output.kill_switch_id'), severity: 'high' },
      recipients: { permission: 'platform:admin' },
    },
  },
  {
    ...{ id: 'report', type: 'generate_report', depends_on: ['tell'] },
    with: { kind: 'trust', title: open('steps.name.output.text'), formats: ['json'] },
  },
  { id: 'score', type: 'recalculate_trust', depends_on: ['report'] },
]

for (const kind of ofRound(serverKinds)) {
  describe.skipIf(!(await isAvailable(kind)))(`killed by SIGKILL on ${kind}, seed ${seed}`, () => {
    let folder: string
    let database: TestDatabase | null = null
    let environment: Record<string, string>
    const children: ChildProcess[] = []

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'parapet-workflows-'))
      database = kind === 'pg' ? await openTestDatabase(schemaOf(modules), 'pg') : null
      environment = {
        ...{ PARAPET_DATA_DIR: folder, PARAPET_ACCESS_LOG: 'false', PARAPET_LOG_LEVEL: 'error' },
        ...{ PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.0/8', PARAPET_RATE_LIMIT_API: '1000000' },
        ...{ PARAPET_RATE_LIMIT_EXPENSIVE: '1000000', PARAPET_RATE_LIMIT_CREDENTIAL: '1000000' },
        ...(database?.url == null ? {} : { PARAPET_DATABASE_URL: database.url }),
      }
    }, 120_000)
    afterAll(async () => {
      for (const child of children) child.kill('SIGKILL')
      await database?.close()
      await rm(folder, { recursive: true, force: true })
    })

    async function live() {
      const child = fork(join(bundle, 'workflow-server.mjs'), [], {
        ...{ execArgv: ['--enable-source-maps'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
        env: { PATH: process.env.PATH, ...environment },
      })
      children.push(child)
      const exited = once(child, 'exit')
      const ask = async (message: object | string) => {
        child.send(message)
        return (await once(child, 'message'))[0] as { writes: number }
      }
      const [told] = (await once(child, 'message')) as [{ address: string; setupToken: string | null }]
      if (told.setupToken !== null) await settleIn(told.address, told.setupToken)
      return { ...told, child, exited, ask, token: await signIn(told.address, admin) }
    }
    type Life = Awaited<ReturnType<typeof live>>

    async function settleIn(address: string, setupToken: string): Promise<void> {
      const body = {
        ...{ setup_token: setupToken, tenant: { name: 'Crash', slug: 'crash' } },
        admin: { email: admin, display_name: 'Admin', password },
      }
      await expectCall(address, '/auth/bootstrap', { method: 'POST', status: 201, body })
      const token = await signIn(address, admin)
      await expectCall(address, '/platform/workflows', {
        ...{ method: 'POST', status: 201, token },
        body: {
          ...{
            key: 'crash',
            name: 'Crash',
            declared_permissions: ['gateway:admin', 'platform:write', 'trust:write', 'trust:read'],
          },
          definition: { trigger: { type: 'manual', input: [{ name: 'model', type: 'string' }] }, steps: steps() },
        },
      })
    }

    const workflowOf = async ({ address, token }: Life): Promise<string> =>
      (await expectCall(address, '/platform/workflows?key=crash', { status: 200, token })).data[0].id

    /** Begins the run of a model, or gets the answer of the call that began it: the key is the same. */
    async function begin(life: Life, model: string): Promise<{ readonly id: string } | null> {
      const { address, token } = life
      const body = { input: { model } }
      const headers = { 'idempotency-key': model }
      const path = `/platform/workflows/${await workflowOf(life)}/runs`
      try {
        const answer = await call(address, path, { method: 'POST', token, body, headers })
        expect([answer.status, answer.text]).toEqual([201, answer.text])
        return answer.data
      } catch (error) {
        // The server died before it answered.
        if (error instanceof TypeError) return null
        throw error
      }
    }

    async function completed(life: Life, id: string): Promise<void> {
      const path = `/platform/workflows/${await workflowOf(life)}/runs?run_id=${id}`
      const run = async () => (await expectCall(life.address, path, { status: 200, token: life.token })).data[0]
      await expect.poll(async () => (await run()).status, { timeout: 60_000 }).toBe('completed')
      expect((await run()).steps.map(({ status }: { status: string }) => status)).toEqual(Array(7).fill('succeeded'))
    }

    /** One life: the run of the life before is brought to its end, and another begins that the server does not survive. */
    async function dieAt(point: Point, before: string | null): Promise<string> {
      const life = await live()
      if (before !== null) {
        const run = await begin(life, before)
        if (run === null) throw new Error('The server went away while nobody killed it')
        await completed(life, run.id)
      }
      const model = `crash-${point.killAt}-${point.when}`
      await life.ask(point)
      await begin(life, model)
      expect([model, ...(await life.exited)]).toEqual([model, null, 'SIGKILL'])
      return model
    }

    test('before and after writes of its journal, a run of seven steps has each effect inside once', {
      timeout: 240_000 + kills * 20_000,
    }, async () => {
      const first = await live()
      await first.ask({ killAt: 0, when: 'after' })
      const whole = await begin(first, 'whole')
      await completed(first, whole?.id ?? '')
      const { writes } = await first.ask('count')
      first.child.kill('SIGKILL')
      await first.exited
      // Fewer than the steps would mean that the writes are not seen.
      expect(writes).toBeGreaterThan(7)
      const models = ['whole']
      let last: string | null = null
      for (const point of pointsOf({ writes, kills, seed })) {
        last = await dieAt(point, last)
        models.push(last)
      }
      const life = await live()
      const run = await begin(life, last ?? '')
      await completed(life, run?.id ?? '')
      life.child.kill('SIGKILL')
      await life.exited
      await expectOnce(models)
    })

    async function expectOnce(models: readonly string[]): Promise<void> {
      const program = await startProgram({ config: loadConfig(environment) })
      try {
        const { kernel } = program.assembled
        await expectSettled(kernel)
        const [tenant] = await kernel.db.system('crash suite', (tx) =>
          tx.query(sql<{ tenant_id: TenantId }>`select distinct tenant_id from platform_run`),
        )
        if (tenant === undefined) throw new Error('there is no run')
        const rows = await kernel.db.read(tenant.tenant_id, countsOf(models))
        expect(rows).toEqual(
          [...models].sort().map((model) => ({
            ...{ model, runs: 1, switches: 1, acts: 1, notices: 1, raised: 1, reports: 1, ends: 1 },
          })),
        )
        const runs = await kernel.db.read(tenant.tenant_id, sql<{ id: string }>`select id from platform_run`)
        for (const { id } of runs) expect(new Set(keys.get(id))).toEqual(new Set([`${id}:ask`]))
        expect(runs).toHaveLength(models.length)
      } finally {
        await program.stop()
      }
    }
  })
}

const countsOf = (models: readonly string[]) => sql<Record<string, unknown>>`
  select model,
    (select count(*)::int from platform_run where input ->> 'model' = model) as runs,
    (select count(*)::int from aegis_kill_switch where value = model) as switches,
    (select count(*)::int from audit_entry entry join aegis_kill_switch held on entry.target = 'kill_switch:' || held.id
      where held.value = model and entry.action = 'kill_switch.activate') as acts,
    (select count(*)::int from platform_notification where title = 'Stopped ' || model) as notices,
    (select sum(count)::int from platform_notification where title = 'Stopped ' || model) as raised,
    (select count(*)::int from platform_report where title = 'Stopped ' || model) as reports,
    (select count(*)::int from event_log event join platform_run run on event.subject = run.id::text
      where event.channel = 'platform.workflow.completed' and run.input ->> 'model' = model) as ends
  from unnest(${[...models].sort()}::text[]) as model order by model collate "C"`
