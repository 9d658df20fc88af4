import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemaOf } from '../../src/kernel/assembly/schema.ts'
import { modules } from '../../src/modules.ts'
import { isAvailable, openTestDatabase, serverKinds, type TestDatabase } from '../support/database.ts'
import { call, expectCall, signIn } from '../support/http.ts'
import { ofRound } from '../support/sampled.ts'
import { type Installation, install, operatorEmail, type RunningServer } from '../support/server-process.ts'

const full = { mode: 'full', message: 'A restore.', starts_at: null, ends_at: null, allow_cidrs: [] }

interface Kill {
  /** How far the work is when the server dies; 1 is when it says that it is done. */
  readonly progress: number
  /** How many milliseconds later it dies. */
  readonly waitMs: number
}

/** More kills in long runs: PARAPET_TEST_CRASHES. */
const late = Math.max(1, Number(process.env.PARAPET_TEST_CRASHES ?? 3) - 1)
const kills: readonly Kill[] = [
  { progress: 0.4, waitMs: 0 },
  ...Array.from({ length: late }, (_, round) => ({ progress: 0.7, waitMs: 60 + 220 * round })),
  { progress: 1, waitMs: 0 },
]

for (const kind of ofRound(serverKinds)) {
  describe.skipIf(!(await isAvailable(kind)))(`a server killed while a backup replaces its data, on ${kind}`, () => {
    let database: TestDatabase | null = null
    let installation: Installation

    beforeAll(async () => {
      toldBefore = 0
      database = kind === 'pg' ? await openTestDatabase(schemaOf(modules), 'pg') : null
      installation = await install(database?.url == null ? {} : { PARAPET_DATABASE_URL: database.url })
    })
    afterAll(async () => {
      await installation?.remove()
      await database?.close()
    })

    test('C64 it has the old state or the new one, whole, and serves it', { timeout: 400_000 }, async () => {
      let server = await installation.start()
      let token = await signIn(server.address, operatorEmail)
      await role(server, token, 'Before')
      const backup = await madeBackup(server, token)
      const seen: string[] = []
      for (const [round, kill] of kills.entries()) {
        await role(server, token, `After ${round}`)
        await killInReplace(server, token, { backup, kill })
        expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' })
        server = await installation.start()
        token = await signIn(server.address, operatorEmail)
        seen.push(await stateOf(server, token, round))
        await maintain(server, token, null)
      }
      // Otherwise the kills came all before or all after what they are about.
      expect(new Set(seen)).toEqual(new Set(['old', 'new']))
      expect([seen[0], seen.at(-1)]).toEqual(['old', 'new'])
    })
  })
}

const role = (server: RunningServer, token: string, name: string) =>
  expectCall(server.address, '/iam/roles', {
    method: 'POST',
    token,
    status: 201,
    body: { name, permissions: ['trust:read'] },
  })

const maintain = (server: RunningServer, token: string, value: object | null) =>
  expectCall(server.address, '/admin/config', {
    ...{ method: 'PATCH', token, status: 200 },
    body: { scope: 'platform', values: { maintenance: value }, comment: 'A restore' },
  })

async function madeBackup(server: RunningServer, token: string): Promise<string> {
  const made = await expectCall(server.address, '/admin/backups', {
    method: 'POST',
    token,
    status: 201,
    body: { kind: 'full' },
  })
  for (;;) {
    const { data } = await expectCall(server.address, `/admin/backups?id=${made.data.id}`, { token, status: 200 })
    if (data[0].status === 'completed') return made.data.id
    if (data[0].status === 'failed') throw new Error('the backup was not made')
    await pause(100)
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

interface Killing {
  readonly backup: string
  readonly kill: Kill
}

async function killInReplace(server: RunningServer, token: string, { backup, kill }: Killing): Promise<void> {
  await maintain(server, token, full)
  const body = { mode: 'replace', confirm: `replace ${backup}` }
  const order = await expectCall(server.address, `/admin/backups/${backup}/restore`, {
    method: 'POST',
    token,
    status: 201,
    body,
  })
  const reached = async (): Promise<boolean> => {
    if (kill.progress === 1) return server.output().includes('starting anew')
    // While the data are swapped no call gets an answer; that is the moment as well.
    const asked = call(server.address, `/admin/jobs?id=${order.data.id}`, { token }).catch(() => null)
    const answer = await Promise.race([asked, pause(400).then(() => null)])
    return answer === null || answer.status !== 200 || (answer.data[0]?.progress ?? 1) >= kill.progress
  }
  while (!(await reached())) await pause(5)
  await pause(kill.waitMs)
  await server.signal('SIGKILL')
}

/** @throws Error for a mix of both */
async function stateOf(server: RunningServer, token: string, round: number): Promise<'old' | 'new'> {
  const roles = await expectCall(server.address, '/iam/roles?limit=100', { token, status: 200 }).catch(async () => {
    // Nothing but administration is served in the maintenance.
    await maintain(server, token, null)
    return expectCall(server.address, '/iam/roles?limit=100', { token, status: 200 })
  })
  const names = roles.data.map(({ name }: { readonly name: string }) => name)
  expect(names).toContain('Before')
  const query = '/admin/audit-logs?action=admin.backup.replace&result=success&limit=100'
  const told = (await expectCall(server.address, query, { token, status: 200 })).data.length
  const state = names.includes(`After ${round}`) ? 'old' : 'new'
  if (state === 'new') expect(names.filter((name: string) => name.startsWith('After'))).toEqual([])
  expect(told > toldBefore).toBe(state === 'new')
  toldBefore = told
  await expectVerified(server, token)
  return state
}

let toldBefore = 0

async function expectVerified(server: RunningServer, token: string): Promise<void> {
  for (let left = 50; ; left -= 1) {
    const { data } = await expectCall(server.address, '/admin/audit-logs/verify', {
      method: 'POST',
      token,
      status: 200,
      body: {},
    })
    if (data.verified === true) return
    if (left === 0 || data.reason !== 'unsealed') throw new Error(`the log is ${data.reason}`)
    await pause(100)
  }
}
