import { once } from 'node:events'
import { createServer as createTcpServer } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import type { EgressOptions, EgressProxy } from './fetch.ts'
import { openProxy, type ProxyBehavior, type TestProxy } from './testing/proxy.ts'
import { closeAll, egressWith, failure, httpServer, listen, request, text } from './testing/upstream.ts'

afterEach(closeAll)

// Nothing here has this address: only the proxy, which takes every one for its own machine, gets anywhere.
const inside = '10.9.9.9'

interface Proxied extends Partial<EgressOptions> {
  readonly settings?: Partial<EgressProxy>
}

function through({ url }: TestProxy, { settings, ...options }: Proxied = {}) {
  const proxy = { url, credentialFile: null, direct: [], names: 'here' as const, ...settings }
  return egressWith({ allowedPrivate: ['10.0.0.0/8', '127.0.0.0/8'], resolve: async () => [inside], proxy, ...options })
}

const says = (status: string): Pick<ProxyBehavior, 'answer'> => ({
  answer: () => `HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`,
})

describe('a call through the proxy', () => {
  test('reaches its target as it would without one, http too, by the address that was checked', async () => {
    const port = await httpServer(async (incoming, answer) => {
      answer.end(`${incoming.method} ${incoming.url} ${incoming.headers.host} ${await textOf(incoming)}`)
    })
    const proxy = await openProxy()
    const url = `http://provider.example:${port}/v1?x=1`
    const answer = await through(proxy).fetch(request(port, { url, method: 'POST', body: 'hello' }))
    expect(await text(answer)).toBe(`POST /v1?x=1 provider.example:${port} hello`)
    expect(proxy.asked).toEqual([`${inside}:${port}`])
    expect(proxy.heads[0]?.headers.host).toBe(`${inside}:${port}`)
  })

  test('and the next one use the same way', async () => {
    const port = await httpServer((_, answer) => answer.end('again'))
    const proxy = await openProxy()
    const egress = through(proxy)
    const call = request(port, { url: `http://provider.example:${port}/` })
    for (let calls = 0; calls < 3; calls += 1) {
      expect(await text(await egress.fetch(call))).toBe('again')
      // The connection is free for the next call once the turn that read its last byte is over.
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(proxy.asked).toHaveLength(1)
  })

  test('streams as its target does, and closes the target when it is aborted', async () => {
    const aborter = new AbortController()
    let closed: Promise<unknown> = Promise.resolve()
    const port = await httpServer((incoming, answer) => {
      closed = once(incoming.socket, 'close')
      answer.write('first')
    })
    const call = request(port, { url: `http://provider.example:${port}/`, signal: aborter.signal })
    const answer = await through(await openProxy()).fetch(call)
    const seen: string[] = []
    const reading = (async () => {
      for await (const chunk of answer.body) {
        seen.push(new TextDecoder().decode(chunk))
        aborter.abort()
      }
    })()
    expect((await failure(reading)).kind).toBe('aborted')
    expect(seen).toEqual(['first'])
    await closed
  })

  test('ends at once when it is aborted while the proxy says nothing, and in its time when it is not', async () => {
    const proxy = await openProxy({ hangs: true })
    const egress = through(proxy)
    const aborter = new AbortController()
    const call = request(80, { url: 'http://provider.example/', signal: aborter.signal })
    const aborted = failure(egress.fetch(call))
    while (proxy.asked.length === 0) await new Promise((resolve) => setImmediate(resolve))
    aborter.abort()
    expect((await aborted).kind).toBe('aborted')
    const brief = { ...call.timeouts, connectMs: 30 }
    const late = request(80, { url: 'http://other.example/', timeouts: brief })
    expect((await failure(egress.fetch(late))).kind).toBe('timeout_connect')
  })

  test('to a name with more addresses takes one the proxy can reach, of IPv4 first', async () => {
    const port = await httpServer((_, answer) => answer.end('here'))
    const proxy = await openProxy({
      answer: (authority) => (authority.startsWith('[') ? null : 'HTTP/1.1 503 Unreachable\r\n\r\n'),
    })
    const resolve = async () => ['fd00::5', '10.0.0.1', '10.0.0.2']
    const egress = through(proxy, { allowedPrivate: ['10.0.0.0/8', 'fd00::/8'], resolve })
    expect(await text(await egress.fetch(request(port, { url: `http://two.example:${port}/` })))).toBe('here')
    expect(proxy.asked).toEqual([`10.0.0.1:${port}`, `10.0.0.2:${port}`, `[fd00::5]:${port}`])
  })
})

describe('C50 what the guard refuses without a proxy it refuses with one, and nobody asks the proxy', () => {
  test.each([
    ['http://127.0.0.2/', 'address_loopback'],
    ['https://192.168.1.1/', 'address_private'],
    ['http://169.254.169.254/', 'metadata'],
    ['http://metadata.google.internal/', 'metadata'],
    ['http://8.8.8.8/', 'scheme'],
    ['https://8.8.8.8:8443/', 'port'],
    ['https://inner.example/', 'address_private'],
    ['https://mixed.example/', 'address_private'],
    ['https://cloud.example/', 'metadata'],
    ['http://public.example/', 'scheme'],
    ['https://public.example:8443/', 'port'],
  ])('%s by %s', async (url, rule) => {
    const names: Readonly<Record<string, readonly string[]>> = {
      'inner.example': ['192.168.1.1'],
      'mixed.example': ['8.8.8.8', '192.168.1.1'],
      'cloud.example': ['169.254.169.254'],
      'public.example': ['8.8.8.8'],
    }
    const proxy = await openProxy()
    const egress = through(proxy, { allowedPrivate: ['10.0.0.0/8'], resolve: async (name) => names[name] ?? [] })
    expect(await failure(egress.fetch(request(0, { url })))).toMatchObject({ kind: 'refused', rule })
    expect(proxy.asked).toEqual([])
  })

  test('a name that changes its answer between check and call gains nothing', async () => {
    const proxy = await openProxy()
    const answers = [['8.8.8.8'], ['192.168.1.1']]
    const egress = through(proxy, { allowedPrivate: [], resolve: async () => answers.shift() ?? [] })
    const url = 'https://rebinding.example/'
    expect(await egress.resolveAndCheckBase(url)).toMatchObject({ ok: true })
    const error = await failure(egress.fetch(request(0, { url })))
    expect(error).toMatchObject({ kind: 'refused', rule: 'address_private' })
    expect(proxy.asked).toEqual([])
  })

  test('a name without addresses is no connection', async () => {
    const proxy = await openProxy()
    for (const resolve of [async () => [], () => Promise.reject(new Error('ENOTFOUND'))]) {
      const egress = through(proxy, { resolve })
      const error = await failure(egress.fetch(request(0, { url: 'https://nowhere.example/' })))
      expect(error.kind).toBe('connect')
    }
    expect(proxy.asked).toEqual([])
  })
})

describe('where the proxy resolves names', () => {
  const unreachable = () => Promise.reject(new Error('The resolver must not be asked.'))
  const byName = { settings: { names: 'proxy' as const }, resolve: unreachable }

  test('it is asked for the name, and the check beforehand asks nobody', async () => {
    const proxy = await openProxy(says('403 Forbidden'))
    const egress = through(proxy, byName)
    expect(await egress.resolveAndCheckBase('https://provider.example/v1')).toMatchObject({ ok: true })
    await failure(egress.fetch(request(0, { url: 'https://provider.example/v1' })))
    expect(proxy.asked).toEqual(['provider.example:443'])
    expect(proxy.heads[0]?.headers.host).toBe('provider.example:443')
  })

  test.each([
    ['https://metadata.google.internal/', 'metadata'],
    ['https://instance-data/', 'metadata'],
    ['https://169.254.169.254/', 'metadata'],
    ['https://192.168.1.1/', 'address_private'],
    ['https://vault/', 'name_private'],
    ['https://vault.internal/', 'name_private'],
    ['https://nas.local/', 'name_private'],
    ['https://wiki.intranet/', 'name_private'],
    ['https://wiki.private/', 'name_private'],
    ['https://wiki.corp/', 'name_private'],
    ['https://nas.home/', 'name_private'],
    ['https://router.lan/', 'name_private'],
    ['https://nas.home.arpa/', 'name_private'],
    ['https://box.localdomain/', 'address_loopback'],
    ['http://provider.example/', 'scheme'],
    ['https://provider.example:8443/', 'port'],
  ])('C50 %s is refused by %s, private ranges allowed or not', async (url, rule) => {
    const proxy = await openProxy()
    const egress = through(proxy, { ...byName, allowedPrivate: ['10.0.0.0/8'] })
    expect(egress.checkUrl(url)).toEqual({ ok: false, rule })
    expect(await egress.resolveAndCheckBase(url)).toEqual({ ok: false, rule })
    expect(await failure(egress.fetch(request(0, { url })))).toMatchObject({ kind: 'refused', rule })
    const { hostname: host } = new URL(url)
    const dialed = egress.dial({ host, port: 443, tls: url.startsWith('https:') ? {} : null, timeoutMs: 20_000 })
    // The operator sets the port of the dialed address.
    if (rule !== 'port') expect(await failure(dialed)).toMatchObject({ kind: 'refused', rule })
    else await failure(dialed)
    expect(proxy.asked).toEqual(rule === 'port' ? ['provider.example:443'] : [])
  })

  test('an allowed private address is called through it, and a name on the list of those without is resolved here', async () => {
    const port = await httpServer((_, answer) => answer.end('here'))
    const proxy = await openProxy()
    const settings = { names: 'proxy' as const, direct: ['ollama.internal'] }
    const egress = through(proxy, { settings, resolve: async () => ['127.0.0.1'] })
    expect(await text(await egress.fetch(request(port, { url: `http://${inside}:${port}/` })))).toBe('here')
    expect(await text(await egress.fetch(request(port, { url: `http://ollama.internal:${port}/` })))).toBe('here')
    expect(proxy.asked).toEqual([`${inside}:${port}`])
  })
})

describe('without the proxy', () => {
  test.each([
    ['this machine', 'http://127.0.0.1', []],
    ['this machine by name', 'http://localhost', []],
    ['a name below one of the list', 'http://api.near.example', ['near.example']],
    ['a name whose addresses are all on it', 'http://far.example', ['127.0.0.0/8']],
  ])('%s is called', async (_, origin, direct) => {
    const port = await httpServer((__, answer) => answer.end('direct'))
    const proxy = await openProxy()
    const asked: string[] = []
    const resolve = async (name: string) => {
      asked.push(name)
      return ['127.0.0.1']
    }
    const egress = through(proxy, { settings: { direct }, resolve })
    expect(await text(await egress.fetch(request(port, { url: `${origin}:${port}/` })))).toBe('direct')
    expect(asked.length).toBeLessThan(2)
    expect(proxy.asked).toEqual([])
  })

  test('C50 a name of the list is no way around the guard', async () => {
    const egress = through(await openProxy(), {
      allowedPrivate: ['10.0.0.0/8'],
      settings: { direct: ['near.example', '192.168.0.0/16'] },
      resolve: async () => ['192.168.1.1'],
    })
    for (const url of ['https://near.example/', 'https://192.168.1.1/']) {
      const error = await failure(egress.fetch(request(0, { url })))
      expect(error).toMatchObject({ kind: 'refused', rule: 'address_private' })
    }
  })

  test('one whose addresses are partly on it goes through the proxy', async () => {
    const port = await httpServer((_, answer) => answer.end('here'))
    const proxy = await openProxy()
    const egress = through(proxy, { settings: { direct: ['10.1.0.0/16'] }, resolve: async () => ['10.1.0.1', inside] })
    expect(await text(await egress.fetch(request(port, { url: `http://mixed.example:${port}/` })))).toBe('here')
    expect(proxy.asked).toEqual([`10.1.0.1:${port}`])
  })
})

describe('a connection that is not HTTP', () => {
  const target = (port: number) => ({ host: 'log.example', port, tls: null, timeoutMs: 20_000 })

  test('goes through the proxy as well, to a checked address', async () => {
    const port = await listen(createTcpServer((socket) => void socket.end('here')))
    const proxy = await openProxy()
    expect(await textOf(await through(proxy).dial(target(port)))).toBe('here')
    expect(proxy.asked).toEqual([`${inside}:${port}`])
    const strict = through(proxy, { allowedPrivate: [] })
    expect(await failure(strict.dial(target(port)))).toMatchObject({ kind: 'refused', rule: 'address_private' })
  })

  test('goes past it where its holder asks for that, and to what is on the list', async () => {
    const port = await listen(createTcpServer((socket) => void socket.end('here')))
    const proxy = await openProxy()
    const egress = through(proxy, { resolve: async () => ['127.0.0.1'] })
    expect(await textOf(await egress.dial(target(port)))).toBe('here')
    const byName = through(proxy, { settings: { names: 'proxy' }, resolve: async () => ['127.0.0.1'] })
    expect(await textOf(await byName.dial({ ...target(port), withoutProxy: true }))).toBe('here')
    expect(proxy.asked).toEqual([])
  })

  test('ends in its time where the proxy or the resolver says nothing', async () => {
    const brief = { ...target(9), timeoutMs: 30 }
    expect(await failure(through(await openProxy({ hangs: true })).dial(brief))).toMatchObject({
      kind: 'timeout_connect',
    })
    const waiting = through(await openProxy(), { resolve: () => new Promise(() => {}) })
    expect(await failure(waiting.dial(brief))).toMatchObject({ kind: 'timeout_connect' })
  })
})
