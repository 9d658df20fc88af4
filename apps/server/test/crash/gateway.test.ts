import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TenantId } from '../../src/kernel/access/actor.ts'
import { schemaOf } from '../../src/kernel/assembly/schema.ts'
import { loadConfig } from '../../src/kernel/config/load.ts'
import { dollarATokenPrice } from '../../src/modules/gateway/testing/money.ts'
import { openUpstream, type Reply, say, streamed, type Upstream } from '../../src/modules/gateway/testing/upstream.ts'
import { modules } from '../../src/modules.ts'
import { startProgram } from '../../src/program.ts'
import { isAvailable, openTestDatabase, serverKinds, type TestDatabase } from '../support/database.ts'
import { expectCall, signIn } from '../support/http.ts'
import { ofRound } from '../support/sampled.ts'
import { type Installation, install, operatorEmail } from '../support/server-process.ts'
import { expectCallInvariants } from './gateway-invariants.ts'
import { type Answered, createLoadClient } from './gateway-load.ts'
import { seeded } from './random.ts'

/** More kills and other seeds for long runs: PARAPET_TEST_CRASHES, PARAPET_TEST_SEED. */
const crashes = Number(process.env.PARAPET_TEST_CRASHES ?? 3)
const seed = Number(process.env.PARAPET_TEST_SEED ?? 20261122)
const clientCount = 6

/** A stream is cut in its middle as often as at its ends. */
const reply: Reply = (response, received) =>
  received.body.stream === true
    ? streamed(['Written to ', 'the person ', 'you named.'])(response, received)
    : say('Written.')(response, received)

for (const kind of ofRound(serverKinds)) {
  describe.skipIf(!(await isAvailable(kind)))(
    `model calls of a server killed ${crashes} times on ${kind}, seed ${seed} (skipped where there is no server)`,
    () => {
      let database: TestDatabase | null = null
      let installation: Installation
      let upstream: Upstream

      beforeAll(async () => {
        upstream = await openUpstream()
        upstream.reply(reply)
        database = kind === 'pg' ? await openTestDatabase(schemaOf(modules), 'pg') : null
        installation = await install({
          PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.0/8',
          ...(database?.url == null ? {} : { PARAPET_DATABASE_URL: database.url }),
        })
      })
      afterAll(async () => {
        await installation?.remove()
        await upstream?.close()
        await database?.close()
      })

      test('what was answered is logged, audited, counted and paid for once', {
        timeout: 240_000 + crashes * 20_000,
      }, async () => {
        const run = await crashAgainAndAgain(installation, upstream)
        const program = await startProgram({ config: loadConfig(installation.environment) })
        try {
          await expectCallInvariants({ kernel: program.assembled.kernel, asked: questionsAt(upstream), ...run })
        } finally {
          await program.stop()
        }
        // A run in which nothing was going on when the server died would prove nothing.
        expect(run.answered.length).toBeGreaterThan(crashes * 5)
      })
    },
  )
}

const questionsAt = ({ received }: Upstream): number =>
  received.filter(({ path }) => path.endsWith('/chat/completions')).length

async function crashAgainAndAgain(installation: Installation, upstream: Upstream) {
  const chance = seeded(seed)
  const answered: Answered[] = []
  let heard = (): void => undefined
  let server = await installation.start()
  const { token, tenantId } = await prepare(server.address, upstream)
  const clients = Array.from({ length: clientCount }, (_, number) =>
    createLoadClient({
      number,
      token,
      chance: seeded(seed * 31 + number),
      answered: (answer) => {
        answered.push(answer)
        heard()
      },
    }),
  )
  for (let crash = 0; crash < crashes; crash += 1) {
    const killAt = answered.length + 1 + chance.below(60)
    const delayMs = chance.below(20)
    const { signal } = server
    heard = () => {
      if (answered.length === killAt) setTimeout(() => void signal('SIGKILL'), delayMs)
    }
    await Promise.all(clients.map((client) => client.workUntilCut(server.address)))
    heard = () => undefined
    expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' })
    server = await installation.start()
  }
  await server.signal('SIGKILL')
  return { answered, tenantId }
}

/** A priced model behind a hard budget, and a policy that keeps the values it hides. */
async function prepare(address: string, upstream: Upstream) {
  const token = await signIn(address, operatorEmail)
  const send = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
    (await expectCall(address, path, { method, token, body, status: method === 'POST' && !isMove(path) ? 201 : 200 }))
      .data
  const secrets = [{ id: 'main', value: 'sk-test-0123456789abcdef' }]
  const models = ['test-model']
  const provider = { name: 'local', kind: 'openai_compatible', base_url: upstream.url, models, secrets }
  await send('POST', '/gateway/providers', provider)
  const listed = await send('GET', '/gateway/models?limit=200')
  const model = listed.find(({ name }: { readonly name: string }) => name === 'test-model')
  await send('PATCH', `/gateway/models/${model.id}`, { price: dollarATokenPrice })
  const scope = [{ kind: 'tenant' }]
  await send('POST', '/gateway/budgets', { name: 'all', scope, amount: '100000000', window: 'month' })
  const [baseline] = await send('GET', '/gateway/policies')
  const document = { sensitive_data: { retain_in_vault: true } }
  const { latest_version: version } = await send('PATCH', `/gateway/policies/${baseline.id}`, { document })
  await send('POST', `/gateway/policies/${baseline.id}/publish`, { version })
  const me = await send('GET', '/auth/me')
  return { token, tenantId: me.tenant.id as TenantId }
}

const isMove = (path: string): boolean => path.endsWith('/publish')
