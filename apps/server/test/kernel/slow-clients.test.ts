import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { held } from '../support/matrices.ts'
import { type NotesWorld, openNotesWorld } from './notes-world.ts'

/** The shipped limits with a thirtieth of the time, so that the tests run quickly. */
const patience = { headersMs: 500, requestMs: 1_000, silenceMs: 2_000, lookEveryMs: 50 }
/** With these no client is disconnected, however slow this machine is. */
const forbearing = { headersMs: 120_000, requestMs: 240_000, silenceMs: 240_000, lookEveryMs: 5_000 }
const most = 60

let world: NotesWorld
let port: number
const sockets: Socket[] = []

beforeAll(async () => {
  world = await openNotesWorld({ PARAPET_CONNECTIONS_PER_ADDRESS: String(most) }, { patience })
  await world.program.app.listen({ port: 0, host: '127.0.0.1' })
  port = (world.program.app.server.address() as AddressInfo).port
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await world?.close()
})

interface Client {
  readonly socket: Socket
  heard: string
  closedAfterMs: number | null
}

async function client(first = '', at = port): Promise<Client> {
  const socket = connect(at, '127.0.0.1')
  sockets.push(socket)
  const begun = performance.now()
  const seen: Client = { socket, heard: '', closedAfterMs: null }
  socket.on('data', (data) => {
    seen.heard += data.toString('latin1')
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    seen.closedAfterMs = performance.now() - begun
  })
  await once(socket, 'connect')
  if (first !== '') socket.write(first)
  return seen
}

/** Sends a byte every few milliseconds, so that the connection is never silent, until it is closed. */
function drip({ socket }: Client, bytes: string, everyMs = 40): void {
  let at = 0
  const timer = setInterval(() => {
    if (socket.destroyed || !socket.writable) clearInterval(timer)
    else socket.write(bytes[at++ % bytes.length] ?? 'x')
  }, everyMs)
  socket.on('close', () => clearInterval(timer))
}

const head = 'POST /api/v1/resilience/public HTTP/1.1\r\nhost: parapet.example\r\ncontent-type: application/json\r\n'
/** Answered however late the event loop is. */
const plain = '/.well-known/jwks.json'
const served = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}${plain}`)).status
const closed = (clients: readonly Client[]) =>
  expect.poll(() => clients.filter(({ closedAfterMs }) => closedAfterMs === null).length, { timeout: 30_000 })

describe('C22 slow clients', () => {
  test.each([
    ['headers', 'GET /healthz HTTP/1.1\r\nhost: parapet.example\r\nx-slow: ', 'a', patience.headersMs],
    ['a body', `${head}content-length: 100000\r\n\r\n{"text":"`, 'a', patience.requestMs],
    ['a body in chunks', `${head}transfer-encoding: chunked\r\n\r\n`, '1\r\na\r\n', patience.requestMs],
  ])(
    'that never finish %s are told 408 and closed, and the others are served meanwhile',
    async (_, first, more, ms) => {
      const slow = await Promise.all(Array.from({ length: 40 }, () => client(first)))
      for (const one of slow) drip(one, more)
      expect(await served()).toBe(200)
      await closed(slow).toBe(0)
      expect(slow.map(({ heard }) => heard.split(' ')[1])).toEqual(slow.map(() => '408'))
      for (const { closedAfterMs } of slow) expect(closedAfterMs).toBeGreaterThan(ms - 100)
      expect(await served()).toBe(200)
    },
  )

  test('that say nothing at all are closed', async () => {
    const silent = await Promise.all(Array.from({ length: 10 }, () => client()))
    await closed(silent).toBe(0)
  })

  test('that read nothing of what they asked for are closed', async () => {
    const ask = 'GET /openapi.json HTTP/1.1\r\nhost: parapet.example\r\n\r\n'
    const { silenceMs } = patience
    const silent = await openNotesWorld({}, { patience: { ...forbearing, silenceMs, lookEveryMs: 50 } })
    try {
      const address = await silent.program.app.listen({ port: 0, host: '127.0.0.1' })
      const arriving = once(silent.program.app.server, 'connection') as Promise<[Socket]>
      const deaf = await client('', Number(new URL(address).port))
      const [theirs] = await arriving
      deaf.socket.pause()
      // More than all buffers between hold.
      for (let asked = 0; asked < 400; asked += 1) deaf.socket.write(ask)
      await expect.poll(() => theirs.destroyed, { timeout: 30_000 }).toBe(true)
      expect(theirs.bytesWritten).toBeGreaterThan(1_000_000)
    } finally {
      await silent.close()
    }
  })
})

describe('C22 a crowd of slow clients', () => {
  const crowd = 500
  const asks = 100
  const rounds = 5
  /** Beyond what a busy machine adds by itself to an answer of a millisecond. */
  const littleMs = 50
  /** 99th percentile of answer times in milliseconds, in the best of the rounds: other load here comes in bursts. */
  async function slowest(address: string): Promise<number> {
    const ofRounds: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const times: number[] = []
      for (let asked = 0; asked < asks; asked += 1) {
        const begun = performance.now()
        expect((await fetch(`${address}${plain}`)).status).toBe(200)
        times.push(performance.now() - begun)
      }
      ofRounds.push(times.toSorted((a, b) => a - b)[Math.floor(asks * 0.99) - 1] ?? 0)
    }
    return Math.min(...ofRounds)
  }

  test('in their headers and in their bodies keeps nobody else waiting and costs little memory', async () => {
    const patient = await openNotesWorld({ PARAPET_CONNECTIONS_PER_ADDRESS: '1000' }, { patience: forbearing })
    try {
      const address = await patient.program.app.listen({ port: 0, host: '127.0.0.1' })
      const at = Number(new URL(address).port)
      const before = await slowest(address)
      const rss = process.memoryUsage().rss
      const firsts = [
        'GET /healthz HTTP/1.1\r\nhost: parapet.example\r\nx-slow: ',
        `${head}content-length: 100000\r\n\r\n{"text":"`,
      ]
      const slow = await Promise.all(Array.from({ length: crowd }, (_, n) => client(firsts[n % 2], at)))
      for (const one of slow) drip(one, 'a', 1_000)
      const beside = await slowest(address)
      const waiting = slow.filter(({ closedAfterMs }) => closedAfterMs === null).length
      const grown = (process.memoryUsage().rss - rss) / crowd
      for (const { socket } of slow) socket.destroy()
      // Other load on this machine may begin or end between the two.
      const alone = Math.max(before, await slowest(address))
      held('slow clients at once', waiting)
      expect(beside).toBeLessThan(2 * alone + littleMs)
      // Both ends of each connection are in this process.
      expect(grown).toBeLessThan(256 * 1024)
    } finally {
      await patient.close()
    }
  })
})

describe('C22 connections of one address', () => {
  test('beyond the bound are told so and closed; when others end there is room again', async () => {
    const patient = await openNotesWorld({ PARAPET_CONNECTIONS_PER_ADDRESS: String(most) }, { patience: forbearing })
    try {
      const address = await patient.program.app.listen({ port: 0, host: '127.0.0.1' })
      const at = Number(new URL(address).port)
      const held = await Promise.all(Array.from({ length: most }, () => client('', at)))
      const late = await client('', at)
      await closed([late]).toBe(0)
      expect(late.heard).toContain('HTTP/1.1 429')
      expect(late.heard).toContain('API-023')
      for (const { socket } of held.slice(0, 2)) socket.destroy()
      const again = () => fetch(`${address}${plain}`).then(({ status }) => status)
      await expect.poll(() => again().catch(() => 0)).toBe(200)
      for (const { socket } of held) socket.destroy()
    } finally {
      await patient.close()
    }
  })

  test('are not those of a proxy that is trusted', async () => {
    const behind = await openNotesWorld({
      PARAPET_CONNECTIONS_PER_ADDRESS: '1',
      PARAPET_TRUSTED_PROXIES: '127.0.0.1',
    })
    try {
      const address = await behind.program.app.listen({ port: 0, host: '127.0.0.1' })
      const idle = connect(Number(new URL(address).port), '127.0.0.1')
      await once(idle, 'connect')
      expect((await fetch(`${address}${plain}`)).status).toBe(200)
      idle.destroy()
    } finally {
      await behind.close()
    }
  })
})
