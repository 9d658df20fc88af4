/** No way out of the process leads back into it. */
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createOwnAddresses } from '../net/own-addresses.ts'
import { openProxy } from './testing/proxy.ts'
import { closeAll, egressWith, failure, httpServer, listen, request, text } from './testing/upstream.ts'

afterEach(closeAll)

const listeningAt = (port: number) => {
  const own = createOwnAddresses('http://parapet.example:8080')
  own.listens({ address: '0.0.0.0', port })
  return own
}
const refused = { kind: 'refused', rule: 'own_address' }

test.each(['http://127.0.0.1:', 'http://127.0.0.9:', 'http://[::ffff:127.0.0.1]:', 'http://second-name.example:'])(
  'C55 a call to %s and our port is refused when it is made, and nothing is dialed',
  async (url) => {
    let hits = 0
    const port = await httpServer((_incoming, answer) => {
      hits += 1
      answer.end()
    })
    const own = listeningAt(port)
    const egress = egressWith({ own, resolve: async () => ['127.0.0.1'] })
    expect(await failure(egress.fetch(request(port, { url: `${url}${port}/v1` })))).toMatchObject(refused)
    expect(hits).toBe(0)
  },
)

test('C55 a name that leads here among others, or later on, is refused', async () => {
  const port = await httpServer((_incoming, answer) => answer.end('elsewhere'))
  const answers = [['127.0.0.1'], ['10.0.0.9', '127.0.0.1']]
  const own = createOwnAddresses('https://parapet.example')
  const egress = egressWith({
    own,
    allowedPrivate: ['127.0.0.0/8', '10.0.0.0/8'],
    resolve: async () => answers.shift() ?? [],
  })
  const url = `http://provider.example:${port}/`
  expect(await egress.resolveAndCheckBase(url)).toMatchObject({ ok: true })
  own.listens({ address: '127.0.0.1', port })
  expect(await failure(egress.fetch(request(port, { url })))).toMatchObject(refused)
})

test('C55 another port of this machine is called', async () => {
  const port = await httpServer((_incoming, answer) => answer.end('another program'))
  const own = listeningAt(port === 65_535 ? port - 1 : port + 1)
  expect(await text(await egressWith({ own }).fetch(request(port)))).toBe('another program')
})

test.each([
  ['http://parapet.example:8080/api/v1', 'own_address'],
  ['http://PARAPET.example:8080', 'own_address'],
  ['http://parapet.example:8081', undefined],
])('C55 the public URL is refused before it is resolved: %s', (url, rule) => {
  const own = createOwnAddresses('http://parapet.example:8080')
  expect(egressWith({ own }).checkUrl(url)).toMatchObject(rule === undefined ? { ok: true } : { ok: false, rule })
})

test('C55 a connection that carries no HTTP does not lead here either', async () => {
  const port = await listen(createServer((socket) => void socket.end('here')))
  const own = listeningAt(port)
  const egress = egressWith({ own, resolve: async () => ['127.0.0.1'] })
  for (const host of ['127.0.0.1', 'second-name.example'])
    expect(await failure(egress.dial({ host, port, tls: null, timeoutMs: 20_000 }))).toMatchObject(refused)
})

test.each(['here', 'proxy'] as const)('C55 a proxy that resolves names %s is not asked for us', async (names) => {
  const proxy = await openProxy()
  const own = createOwnAddresses('https://parapet.example')
  own.listens({ address: '10.9.9.9', port: 443 })
  const egress = egressWith({
    own,
    allowedPrivate: ['10.0.0.0/8'],
    resolve: async () => ['10.9.9.9'],
    proxy: { url: proxy.url, credentialFile: null, direct: [], names },
  })
  const urls = ['https://parapet.example/', ...(names === 'here' ? ['https://second-name.example/'] : [])]
  for (const url of urls) expect(await failure(egress.fetch(request(0, { url })))).toMatchObject(refused)
  expect(proxy.asked).toEqual([])
})

test.each([
  ['https://provider.example/v1?', 'query'],
  ['https://provider.example/admin/delete?x=', 'query'],
  ['https://provider.example/v1#', 'fragment'],
  ['https://user:password@provider.example/v1', 'user_info'],
  ['https://user@provider.example/v1', 'user_info'],
])('C55 an address that paths are appended to is refused as %s', async (url, rule) => {
  const egress = egressWith({ resolve: async () => ['8.8.8.8'] })
  expect(egress.checkBaseUrl(url)).toEqual({ ok: false, rule })
  expect(await egress.resolveAndCheckBase(url)).toEqual({ ok: false, rule })
})

test('an answer says whether it comes from a private network', async () => {
  const port = await httpServer((_incoming, answer) => answer.end())
  const egress = egressWith({ resolve: async () => ['127.0.0.1'] })
  for (const url of [`http://127.0.0.1:${port}/`, `http://provider.example:${port}/`]) {
    expect((await egress.fetch(request(port, { url }))).isPrivate).toBe(true)
    // Over a connection that was open already.
    expect((await egress.fetch(request(port, { url }))).isPrivate).toBe(true)
  }
})
