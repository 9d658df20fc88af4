import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemaOf } from '../../src/kernel/assembly/schema.ts'
import { loadConfig } from '../../src/kernel/config/load.ts'
import { modules } from '../../src/modules.ts'
import { startProgram } from '../../src/program.ts'
import { isAvailable, openTestDatabase, serverKinds, type TestDatabase } from '../support/database.ts'
import { call, expectCall, signIn } from '../support/http.ts'
import { ofRound } from '../support/sampled.ts'
import { type Installation, install, operatorEmail, type RunningServer } from '../support/server-process.ts'
import { password } from '../support/world.ts'
import { type Account, type Acknowledged, CrashClient } from './client.ts'
import { expectInvariants } from './invariants.ts'
import { seeded } from './random.ts'

/** More kills and other seeds for long runs: PARAPET_TEST_CRASHES, PARAPET_TEST_SEED. */
const crashes = Number(process.env.PARAPET_TEST_CRASHES ?? 5)
const seed = Number(process.env.PARAPET_TEST_SEED ?? 20261122)
const clientCount = 6
const withChat = modules.some(({ name }) => name === 'gateway')

for (const kind of ofRound(serverKinds)) {
  describe.skipIf(!(await isAvailable(kind)))(
    `killed ${crashes} times under load on ${kind}, seed ${seed} (skipped where there is no server)`,
    () => {
      let database: TestDatabase | null = null
      let installation: Installation

      beforeAll(async () => {
        database = kind === 'pg' ? await openTestDatabase(schemaOf(modules), 'pg') : null
        installation = await install(database?.url == null ? {} : { PARAPET_DATABASE_URL: database.url })
      })
      afterAll(async () => {
        await installation?.remove()
        await database?.close()
      })

      test('nothing acknowledged is lost, nothing happens twice, and the logs have no hole', {
        timeout: 240_000 + crashes * 20_000,
      }, async () => {
        const run = await crashAgainAndAgain(installation)
        const program = await startProgram({ config: loadConfig(installation.environment) })
        try {
          await expectInvariants({ kernel: program.assembled.kernel, ...run })
        } finally {
          await program.stop()
        }
        // A run in which nothing was going on when the server died would prove nothing.
        expect(run.ledger.length).toBeGreaterThan(crashes * 5)
        expect(run.clients.reduce((sum, client) => sum + client.repeated, 0)).toBeGreaterThan(0)
      })
    },
  )
}

async function crashAgainAndAgain(installation: Installation) {
  const chance = seeded(seed)
  const ledger: Acknowledged[] = []
  const listeners = new Set<() => void>()
  const acknowledged = (entry: Acknowledged): void => {
    ledger.push(entry)
    for (const heard of listeners) heard()
  }
  let server = await installation.start()
  const accounts = await makeAccounts(server.address)
  const clients = Array.from({ length: clientCount }, (_, number) => {
    const account = accounts[number % accounts.length] as Account
    return new CrashClient({ number, account, chance: seeded(seed * 31 + number), withChat, acknowledged })
  })
  for (let crash = 0; crash < crashes; crash += 1) {
    const before = ledger.length
    const killAt = before + 1 + chance.below(60)
    const delayMs = chance.below(20)
    listeners.add(() => {
      if (ledger.length === killAt) setTimeout(() => void server.signal('SIGKILL'), delayMs)
    })
    await Promise.all(clients.map((client) => client.workUntilCut(server.address)))
    listeners.clear()
    expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' })
    server = await installation.start()
    await Promise.all(clients.map((client) => client.settle(server.address)))
    await expectRemembered(server, accounts, ledger.slice(before))
  }
  await server.signal('SIGKILL')
  return { ledger, clients }
}

/** Two tenants with an administrator each, so that the logs of both are written at once. */
async function makeAccounts(address: string): Promise<readonly Account[]> {
  const operator = await signIn(address, operatorEmail)
  const me = await expectCall(address, '/auth/me', { token: operator, status: 200 })
  const made = await expectCall(address, '/iam/tenants', {
    method: 'POST',
    token: operator,
    status: 201,
    body: { name: 'Twin', slug: 'twin', admin_email: 'admin@twin.example' },
  })
  const token = made.data.invitation_url.split('#')[1]
  await expectCall(address, '/auth/invitations/accept', { method: 'POST', status: 200, body: { token, password } })
  const admin = await signIn(address, 'admin@twin.example', made.data.id)
  return [
    { tenantId: me.data.tenant.id, token: operator, roleId: await viewerRole(address, operator) },
    { tenantId: made.data.id, token: admin, roleId: await viewerRole(address, admin) },
  ]
}

async function viewerRole(address: string, token: string): Promise<string> {
  const { data } = await expectCall(address, '/iam/roles?limit=100', { token, status: 200 })
  return data.find((role: { readonly name: string }) => role.name === 'viewer').id
}

/** A repeated creation gets the very answer it got before the server died. */
async function expectRemembered(
  server: RunningServer,
  accounts: readonly Account[],
  entries: readonly Acknowledged[],
): Promise<void> {
  for (const { path, what, tenantId, status, data, requestId } of entries) {
    if (what.headers === undefined) continue
    const token = accounts.find((account) => account.tenantId === tenantId)?.token ?? ''
    const again = await call(server.address, path, { ...what, token })
    expect({ ...again, text: '' }).toEqual({ status, data, requestId, replayed: true, errorCode: null, text: '' })
  }
}
