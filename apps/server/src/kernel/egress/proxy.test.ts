import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freePort, reasonWithout, selfSigned } from '../../../test/support/programs.ts'
import type { EgressOptions, EgressProxy } from './fetch.ts'
import { openProxy } from './testing/proxy.ts'
import { closeAll, egressWith, failure, httpServer, listen, request, text } from './testing/upstream.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-proxy-'))
})
afterAll(() => rm(folder, { recursive: true }))
afterEach(closeAll)

const allowed = { allowedPrivate: ['10.0.0.0/8'], resolve: async () => ['10.9.9.9'] }

function through(settings: Partial<EgressProxy> & Pick<EgressProxy, 'url'>, options: Partial<EgressOptions> = {}) {
  const proxy = { credentialFile: null, direct: [], names: 'here' as const, ...settings }
  return egressWith({ ...allowed, proxy, ...options })
}

const target = (port: number) => request(port, { url: `http://provider.example:${port}/` })
const withUser = (url: string, user: string) => url.replace('://', `://${user}@`)

/** An error as a log would print it, its causes included. */
function told(error: Error): string {
  return inspect(error, { depth: 20, showHidden: true })
}

describe('the credential of the proxy', () => {
  test('stands in its address, percent-encoded, and is shown to the proxy alone', async () => {
    let seen: unknown
    const port = await httpServer((incoming, answer) => {
      seen = incoming.headers
      answer.end('in')
    })
    const proxy = await openProxy({ credential: 'parapet:p@ss:wörd' })
    const egress = through({ url: withUser(proxy.url, 'parapet:p%40ss%3Aw%C3%B6rd') })
    expect(await text(await egress.fetch(target(port)))).toBe('in')
    expect(seen).toEqual({ host: `provider.example:${port}`, connection: 'keep-alive', 'accept-encoding': 'identity' })
  })

  test('stands in a file, which is read anew for each way', async () => {
    const port = await httpServer((_, answer) => answer.end('in'))
    const proxy = await openProxy({ credential: 'parapet:second' })
    const credentialFile = join(folder, 'credential')
    const egress = through({ url: proxy.url, credentialFile })
    expect(await failure(egress.fetch(target(port)))).toMatchObject({ kind: 'proxy', answered: null })
    await writeFile(credentialFile, 'parapet:first\n')
    expect(await failure(egress.fetch(target(port)))).toMatchObject({ kind: 'proxy', answered: 407 })
    await writeFile(credentialFile, 'parapet:second\n')
    expect(await text(await egress.fetch(target(port)))).toBe('in')
  })

  test('C62 stands in no error, whatever goes wrong', async () => {
    const secret = 'hunter2hunter2'
    const closed = await freePort()
    const garbage = await listen(createTcpServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n')))
    const refusing = await openProxy({ credential: 'other:one' })
    const reset = await listen(createTcpServer((socket) => void socket.destroy()))
    for (const port of [closed, garbage, Number(new URL(refusing.url).port), reset]) {
      const url = `http://parapet:${secret}@127.0.0.1:${port}`
      const error = await failure(through({ url }).fetch(target(9)))
      expect(error.kind).toBe('proxy')
      expect(error.brief).toBe(port === Number(new URL(refusing.url).port) ? 'proxy answered 407' : 'proxy failed')
      expect(told(error)).not.toContain(secret)
      expect(told(error)).not.toContain(Buffer.from(`parapet:${secret}`).toString('base64').slice(0, 12))
    }
  })
})

describe('a proxy that opens no way', () => {
  test.each([
    ['407 Proxy Authentication Required', 407],
    ['403 Forbidden', 403],
    ['502 Bad Gateway', 502],
    ['301 Moved Permanently\r\nlocation: http://169.254.169.254/', 301],
  ])('says so by %s, which is told and no answer of the target', async (status, answered) => {
    const proxy = await openProxy({ answer: () => `HTTP/1.1 ${status}\r\ncontent-length: 6\r\n\r\nsecret` })
    const error = await failure(through(proxy).fetch(target(9)))
    expect(error).toMatchObject({ kind: 'proxy', answered })
    expect(error.message).toBe(`The proxy for calls to the outside opened no way. It answered ${answered}.`)
    expect(error.brief).toBe(`proxy answered ${answered}`)
    const dialed = through(proxy).dial({ host: 'provider.example', port: 9, tls: null, timeoutMs: 20_000 })
    expect(await failure(dialed)).toMatchObject({ kind: 'proxy', answered })
  })

  test('for one call opens it for the next', async () => {
    const port = await httpServer((_, answer) => answer.end('in'))
    let refused = 0
    const answer = () => (refused++ === 0 ? 'HTTP/1.1 403 Forbidden\r\n\r\n' : null)
    const egress = through(await openProxy({ answer }))
    expect((await failure(egress.fetch(target(port)))).kind).toBe('proxy')
    expect(await text(await egress.fetch(target(port)))).toBe('in')
  })

  test('after four addresses is asked for no more of them', async () => {
    const proxy = await openProxy({ answer: () => 'HTTP/1.1 504 Gateway Timeout\r\n\r\n' })
    const resolve = async () => [1, 2, 3, 4, 5, 6].map((last) => `10.0.0.${last}`)
    expect(await failure(through(proxy, { resolve }).fetch(target(9)))).toMatchObject({ kind: 'proxy', answered: 504 })
    expect(proxy.asked).toHaveLength(4)
  })

  test('because its owner refuses is asked for one of them', async () => {
    const proxy = await openProxy({ answer: () => 'HTTP/1.1 403 Forbidden\r\n\r\n' })
    const resolve = async () => ['10.0.0.1', '10.0.0.2']
    expect(await failure(through(proxy, { resolve }).fetch(target(9)))).toMatchObject({ kind: 'proxy', answered: 403 })
    expect(proxy.asked).toEqual(['10.0.0.1:9'])
  })
})

test('calls in flight through the proxy end as aborted when the way out closes', async () => {
  const proxy = await openProxy({ hangs: true })
  const egress = through(proxy)
  const failed = failure(egress.fetch(target(9)))
  while (proxy.asked.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await egress.close()
  expect((await failed).kind).toBe('aborted')
})

test('whether the proxy is there is found out without asking anything of it', async () => {
  const proxy = await openProxy()
  await through(proxy).reachProxy?.()
  expect(proxy.asked).toEqual([])
  const gone = through({ url: `http://127.0.0.1:${await freePort()}` })
  expect(await failure(gone.reachProxy?.() ?? Promise.resolve())).toMatchObject({ kind: 'proxy' })
  expect(egressWith().reachProxy).toBeNull()
})

describe.skipIf(reasonWithout('openssl') !== null)('over TLS', () => {
  interface Pair {
    readonly cert: string
    readonly key: string
  }
  let own: Pair
  let strange: Pair
  beforeAll(async () => {
    const pair = async (name: string) => {
      const { certificate, key } = await selfSigned(folder, name)
      return { cert: await readFile(certificate, 'utf8'), key: await readFile(key, 'utf8') }
    }
    own = await pair('own')
    strange = await pair('strange')
  })
  const httpsServer = (pair: Pair) => listen(createHttpsServer(pair, (_, answer) => void answer.end('under TLS')))
  const secure = (port: number, name = 'parapet.example') => request(port, { url: `https://${name}:${port}/` })

  test('the target is called under its name at the address that was checked, and its certificate is verified', async () => {
    const port = await httpsServer(own)
    const proxy = await openProxy()
    const egress = through(proxy, { ca: own.cert })
    expect(await text(await egress.fetch(secure(port)))).toBe('under TLS')
    expect(proxy.asked).toEqual([`10.9.9.9:${port}`])
    // A name the certificate is not for, an untrusted certificate, and the address in place of the name.
    expect(await failure(egress.fetch(secure(port, 'other.example')))).toMatchObject({ kind: 'connect' })
    expect(await failure(through(proxy).fetch(secure(port)))).toMatchObject({ kind: 'connect' })
    const other = through(proxy, { ca: strange.cert })
    expect(await failure(other.fetch(secure(port)))).toMatchObject({ kind: 'connect' })
    expect(await failure(egress.fetch(secure(port, '10.9.9.9')))).toMatchObject({ kind: 'connect' })
  })

  test('a public name is called so where the proxy resolves it, and a certificate counts there as well', async () => {
    const port = await httpsServer(own)
    const proxy = await openProxy()
    const settings = { url: proxy.url, names: 'proxy' as const }
    const egress = through(settings, { ca: own.cert, allowedPrivate: [], ports: [port] })
    expect(await text(await egress.fetch(secure(port)))).toBe('under TLS')
    expect(proxy.asked).toEqual([`parapet.example:${port}`])
    expect(await failure(egress.fetch(secure(port, 'other.example')))).toMatchObject({ kind: 'connect' })
  })

  test('a connection that is not HTTP holds its target to the given certificates', async () => {
    const port = await httpsServer(own)
    const egress = through(await openProxy())
    const dial = (host: string, ca: string) => egress.dial({ host, port, tls: { ca }, timeoutMs: 20_000 })
    const socket = await dial('parapet.example', own.cert)
    socket.end('GET / HTTP/1.1\r\nhost: parapet.example\r\nconnection: close\r\n\r\n')
    expect(await textOf(socket)).toContain('under TLS')
    expect(await failure(dial('other.example', own.cert))).toMatchObject({ kind: 'connect' })
    expect(await failure(dial('parapet.example', strange.cert))).toMatchObject({ kind: 'connect' })
  })

  test('the proxy itself is called, and not trusted with a certificate of nobody known', async () => {
    const port = await httpsServer(own)
    const plain = await httpServer((_, answer) => answer.end('in clear'))
    const proxy = await openProxy({ tls: strange })
    const egress = through({ url: proxy.url, ca: strange.cert }, { ca: own.cert })
    expect(await text(await egress.fetch(secure(port)))).toBe('under TLS')
    expect(await text(await egress.fetch(target(plain)))).toBe('in clear')
    await egress.reachProxy?.()
    // The proxy's certificate is for the proxy's name, for every target.
    const byName = through({ url: proxy.url, ca: strange.cert, names: 'proxy' }, { ca: own.cert, ports: [port] })
    expect(await failure(byName.fetch(secure(port, 'other.example')))).toMatchObject({ kind: 'connect' })
    // The certificates that count for the proxy do not count for targets, nor the other way round.
    const swapped = through({ url: proxy.url, ca: own.cert }, { ca: strange.cert })
    expect(await failure(swapped.fetch(secure(port)))).toMatchObject({ kind: 'proxy', answered: null })
    const blind = through({ url: proxy.url, ca: strange.cert })
    expect(await failure(blind.fetch(secure(port)))).toMatchObject({ kind: 'connect' })
    expect(proxy.asked).toHaveLength(4)
  })
})
