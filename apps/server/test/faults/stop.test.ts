import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { schemaOf } from '../../src/kernel/assembly/schema.ts'
import { createPgDriver } from '../../src/kernel/db/adapters/pg.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { modules } from '../../src/modules.ts'
import { seeded } from '../crash/random.ts'
import { isAvailable, openTestDatabase, serverKinds, type TestDatabase } from '../support/database.ts'
import { call, expectCall, signIn } from '../support/http.ts'
import { ofRound } from '../support/sampled.ts'
import { type Installation, install, operatorEmail, type RunningServer } from '../support/server-process.ts'

const patience = { timeout: 30_000, interval: 20 }

/** Whether a new connection is taken. */
function isRefused(address: string): Promise<boolean> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', () => resolve(true))
  })
}

interface SlowCall {
  readonly sending: ClientRequest
  readonly answer: Promise<IncomingMessage>
  readonly rest: string
}

/** Begins a request whose second half the caller sends when it likes. */
async function beginSlowly(server: RunningServer, token: string, body: unknown): Promise<SlowCall> {
  const whole = JSON.stringify(body)
  const sending = request(`${server.address}/api/v1/iam/roles`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(whole),
      expect: '100-continue',
    },
  })
  const answer = once(sending, 'response').then(([message]) => message as IncomingMessage)
  sending.flushHeaders()
  // The server's word that it has the head of the request.
  await once(sending, 'continue')
  sending.write(whole.slice(0, 10))
  return { sending, answer, rest: whole.slice(10) }
}

describe.runIf(serverKinds.includes('pglite'))('a server told to stop', () => {
  let installation: Installation
  beforeAll(async () => {
    installation = await install()
  })
  afterAll(() => installation?.remove())

  it('finishes the running call, sends sockets away, takes no new connection and ends with code 0', async () => {
    const server = await installation.start()
    const token = await signIn(server.address, operatorEmail)
    const socket = new WebSocket(`${server.address.replace('http', 'ws')}/ws`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const frames: string[] = []
    socket.on('message', (data) => frames.push(JSON.parse(data.toString()).type))
    const closed = once(socket, 'close')
    await expect.poll(() => frames, patience).toContain('authenticated')
    const slow = await beginSlowly(server, token, { name: 'Slow', permissions: ['trust:read'] })

    const exited = server.signal('SIGTERM')
    await closed
    expect(frames.at(-1)).toBe('going_away')
    await expect.poll(() => isRefused(server.address), patience).toBe(true)
    slow.sending.end(slow.rest)
    const answer = await slow.answer
    expect([answer.statusCode, JSON.parse(await text(answer)).data.name]).toEqual([201, 'Slow'])
    expect(await exited).toEqual({ code: 0, signal: null })
  })

  it('ends with code 0 on SIGINT as well, and the next start finds everything in place', async () => {
    const server = await installation.start()
    const token = await signIn(server.address, operatorEmail)
    const { data } = await expectCall(server.address, '/iam/roles?limit=100', { token, status: 200 })
    expect(data.map((role: { readonly name: string }) => role.name)).toContain('Slow')
    expect(await server.signal('SIGINT')).toEqual({ code: 0, signal: null })
  })
})

describe.runIf(serverKinds.includes('pglite'))('a server told to stop in the middle of a model stream', () => {
  let installation: Installation
  beforeAll(async () => {
    installation = await install({ PARAPET_SHUTDOWN_GRACE_MS: '300' })
  })
  afterAll(() => installation?.remove())

  it('ends the stream in words after its grace, has it in the log and ends with code 0', {
    timeout: 180_000,
  }, async () => {
    const server = await installation.start()
    const token = await signIn(server.address, operatorEmail)
    const stream = await fetch(`${server.address}/api/v1/gateway/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'echo-1',
        messages: [{ role: 'user', content: 'Go on for as long as you can.' }],
        metadata: { echo_chunk_chars: '1', echo_gap_ms: '5000' },
        stream: true,
      }),
    })
    expect(stream.status).toBe(200)
    const exited = server.signal('SIGTERM')
    const told = await stream.text()
    expect(told.slice(told.lastIndexOf('event: '))).toMatch(/^event: error\n.*"GW-014"/)
    expect(await exited).toEqual({ code: 0, signal: null })

    const next = await installation.start()
    const again = await signIn(next.address, operatorEmail)
    const { data } = await expectCall(next.address, '/gateway/requests', { token: again, status: 200 })
    expect(data).toMatchObject([{ error_code: 'GW-014', audit_id: expect.any(String) }])
    expect(await next.signal('SIGTERM')).toEqual({ code: 0, signal: null })
  })
})

describe.runIf(serverKinds.includes('pglite'))('a server that cannot listen', () => {
  it('says so, ends with code 1 and leaves its database to the next start', async () => {
    const installation = await install()
    try {
      const holder = createServer()
      await once(holder.listen(0, '127.0.0.1'), 'listening')
      const address = holder.address()
      const port = typeof address === 'object' && address !== null ? String(address.port) : ''
      const server = installation.spawn({ PARAPET_PORT: port })
      expect(await server.exited).toEqual({ code: 1, signal: null })
      expect(server.output()).toMatch(/could not start: .*EADDRINUSE/)
      holder.close()
      const next = await installation.start({ PARAPET_PORT: port })
      expect(await next.signal('SIGTERM')).toEqual({ code: 0, signal: null })
    } finally {
      await installation.remove()
    }
  })
})

describe.skipIf(!(await isAvailable('pg')))(
  'a server told to stop while PostgreSQL is slow (skipped where there is none)',
  () => {
    let database: TestDatabase
    let installation: Installation
    beforeAll(async () => {
      database = await openTestDatabase(schemaOf(modules), 'pg')
      installation = await install({ PARAPET_DATABASE_URL: database.url ?? '' })
    })
    afterAll(async () => {
      await installation?.remove()
      await database?.close()
    })

    it('waits for the statement, answers and ends with code 0', async () => {
      const server = await installation.start()
      const token = await signIn(server.address, operatorEmail)
      const driver = createPgDriver({ url: database.url ?? '', poolSize: 2 })
      const [holder, watcher] = [await driver.acquire(), await driver.acquire()]
      await holder.run([sql`begin`, sql`lock table iam_role in access exclusive mode`])
      const answer = call(server.address, '/iam/roles', { token })
      const waiting = sql<{ count: number }>`
      select count(*)::int as count from pg_locks where not granted and relation = 'iam_role'::regclass`
      await expect.poll(async () => (await watcher.run([waiting]))[0]?.rows[0]?.count, patience).toBeGreaterThan(0)

      const exited = server.signal('SIGTERM')
      await expect.poll(() => isRefused(server.address), patience).toBe(true)
      await holder.run([sql`commit`])
      expect((await answer).status).toBe(200)
      expect(await exited).toEqual({ code: 0, signal: null })
      holder.release()
      watcher.release()
      await driver.close()
    })
  },
)

const seed = Number(process.env.PARAPET_TEST_SEED ?? 20261122)

for (const kind of ofRound(serverKinds)) {
  describe.skipIf(!(await isAvailable(kind)))(`a first start that is killed on ${kind}, seed ${seed}`, () => {
    let database: TestDatabase | null = null
    let installation: Installation
    beforeAll(async () => {
      database = kind === 'pg' ? await openTestDatabase({ tables: [], migrations: [] }, 'pg') : null
      installation = await install(database?.url == null ? {} : { PARAPET_DATABASE_URL: database.url })
    })
    afterAll(async () => {
      await installation?.remove()
      await database?.close()
    })

    it('is made good by the next start, at whatever moment it died', async () => {
      const chance = seeded(seed)
      const longest = kind === 'pglite' ? 500 : 250
      for (let moment = 1; moment <= 7; moment += 1) {
        const server = installation.spawn()
        const delayMs = chance.below(longest * moment)
        const killed = new Promise<void>((resolve) => setTimeout(resolve, delayMs))
        // A start that fails by itself ends before it is killed, and with a code.
        const ending = await Promise.race([server.exited, killed.then(() => server.signal('SIGKILL'))])
        expect([delayMs, ending, server.output()]).toEqual([
          delayMs,
          { code: null, signal: 'SIGKILL' },
          expect.any(String),
        ])
      }
      const server = await installation.start()
      const token = await signIn(server.address, operatorEmail)
      expect((await call(server.address, '/iam/users', { token })).data).toHaveLength(1)
      expect(await server.signal('SIGTERM')).toEqual({ code: 0, signal: null })
    })
  })
}
