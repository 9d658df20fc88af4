import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createServer as createTlsServer } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { reasonWithout, selfSigned } from '../../../test/support/programs.ts'
import type { DialTarget } from './dial.ts'
import { closeAll, egressWith, failure, listen } from './testing/upstream.ts'

const target = (over: Partial<DialTarget>): DialTarget => ({
  host: '127.0.0.1',
  port: 9,
  tls: null,
  timeoutMs: 20_000,
  ...over,
})
afterEach(closeAll)

describe('C50 a connection that is not HTTP', () => {
  test.each([
    ['a loopback address', target({}), 'address_loopback'],
    ['a private one under TLS', target({ host: '10.0.0.1', tls: {} }), 'address_private'],
    ['the address of metadata', target({ host: '169.254.169.254' }), 'metadata'],
    ['a public one in clear', target({ host: '8.8.8.8' }), 'scheme'],
    ['a name with a public one in clear', target({ host: 'log.example' }), 'scheme'],
    ['a name with a private one among others', target({ host: 'mixed.example', tls: {} }), 'address_private'],
  ])('does not reach %s', async (_, to, rule) => {
    const answers: Record<string, readonly string[]> = {
      'log.example': ['8.8.8.8'],
      'mixed.example': ['8.8.8.8', '10.0.0.1'],
    }
    const egress = egressWith({ allowedPrivate: [], resolve: async (name) => answers[name] ?? [] })
    expect(await failure(egress.dial(to))).toMatchObject({ kind: 'refused', rule })
  })

  test('reaches a private address the operator allows, by name too', async () => {
    const port = await listen(createServer((socket) => void socket.end('here')))
    const egress = egressWith({ resolve: async () => ['127.0.0.1'] })
    for (const host of ['127.0.0.1', 'log.example']) {
      const socket = await egress.dial(target({ host, port }))
      expect(await text(socket)).toBe('here')
    }
  })

  test('to a name without addresses and to a port nobody listens on is none', async () => {
    const egress = egressWith({ resolve: async () => [] })
    expect(await failure(egress.dial(target({ host: 'nobody.example', port: 1 })))).toMatchObject({ kind: 'connect' })
    const server = createServer()
    const port = await listen(server)
    await new Promise((resolve) => server.close(resolve))
    expect(await failure(egress.dial(target({ port })))).toMatchObject({ kind: 'connect' })
  })
})

describe.skipIf(reasonWithout('openssl') !== null)('over TLS', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parapet-dial-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('believes who is signed by the given certificates alone, under the name that was called', async () => {
    const own = await selfSigned(folder, 'own')
    const strange = await selfSigned(folder, 'strange')
    const pem = (path: string) => readFile(path, 'utf8')
    const [cert, key] = [await pem(own.certificate), await pem(own.key)]
    const port = await listen(createTlsServer({ cert, key }, (socket) => void socket.end('here')))
    const egress = egressWith({ resolve: async () => ['127.0.0.1'] })
    const open = (host: string, ca?: string) => egress.dial(target({ host, port, tls: { ca } }))
    const socket = await open('parapet.example', cert)
    expect(await text(socket)).toBe('here')
    expect(await failure(open('other.example', cert))).toMatchObject({ kind: 'connect' })
    expect(await failure(open('parapet.example', await pem(strange.certificate)))).toMatchObject({ kind: 'connect' })
    expect(await failure(open('parapet.example'))).toMatchObject({ kind: 'connect' })
  })
})
