import { once } from 'node:events'
import { createServer as createTcpServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { closeAll, egressWith, failure, httpServer, listen, request, text } from './testing/upstream.ts'

afterEach(closeAll)

test('an allowed private address is called with method, headers and body', async () => {
  const port = await httpServer(async (incoming, answer) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    answer.writeHead(201, { 'x-kind': incoming.headers['x-kind'] })
    answer.end(`${incoming.method} ${incoming.url} ${incoming.headers['accept-encoding']} ${Buffer.concat(chunks)}`)
  })
  const url = `http://127.0.0.1:${port}/v1?x=1`
  const response = await egressWith().fetch(
    request(port, { url, method: 'POST', headers: { 'x-kind': 'a' }, body: 'hello' }),
  )
  expect(response).toMatchObject({ status: 201, headers: { 'x-kind': 'a' } })
  expect(await text(response)).toBe('POST /v1?x=1 identity hello')
  expect(response.timings.firstByteMs).toBeGreaterThanOrEqual(response.timings.connectMs)
})

test('the body arrives in pieces as the upstream sends them', async () => {
  let sendRest = () => {}
  const port = await httpServer((_incoming, answer) => {
    answer.write('first')
    sendRest = () => answer.end('second')
  })
  const seen: string[] = []
  for await (const chunk of (await egressWith().fetch(request(port))).body) {
    seen.push(new TextDecoder().decode(chunk))
    if (seen.length === 1) sendRest()
  }
  expect(seen).toEqual(['first', 'second'])
})

test('a large body reaches a slow reader whole', async () => {
  const body = Buffer.alloc(3_000_000, 'abc')
  const port = await httpServer((_incoming, answer) => answer.end(body))
  const response = await egressWith().fetch(request(port, { maxBytes: body.length }))
  const parts: Uint8Array[] = []
  for await (const part of response.body) {
    await new Promise((resolve) => setImmediate(resolve))
    parts.push(part)
  }
  expect(Buffer.concat(parts).equals(body)).toBe(true)
})

test('C50 C51 a redirect to metadata is handed back, not followed', async () => {
  const port = await httpServer((_incoming, answer) =>
    answer.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  )
  expect(await egressWith().fetch(request(port))).toMatchObject({
    status: 302,
    headers: { location: 'http://169.254.169.254/latest/meta-data/' },
  })
})

test('C50 a name that resolves to a refused address is refused when it is dialed', async () => {
  let hits = 0
  const port = await httpServer((_incoming, answer) => {
    hits += 1
    answer.end()
  })
  const egress = egressWith({ allowedPrivate: ['10.0.0.0/8'], resolve: async () => ['10.0.0.1', '127.0.0.1'] })
  const error = await failure(egress.fetch(request(port, { url: `http://provider.example:${port}/` })))
  expect(error).toMatchObject({ kind: 'refused', rule: 'address_loopback' })
  expect(hits).toBe(0)
})

test('C50 a name that changes its answer between check and call gains nothing', async () => {
  const port = await httpServer((_incoming, answer) => answer.end('secret'))
  const answers = [['8.8.8.8'], ['127.0.0.1']]
  const egress = egressWith({ allowedPrivate: [], ports: [port], resolve: async () => answers.shift() ?? [] })
  const url = `https://rebinding.example:${port}/`
  expect(await egress.resolveAndCheckBase(url)).toMatchObject({ ok: true })
  expect(await failure(egress.fetch(request(port, { url })))).toMatchObject({
    kind: 'refused',
    rule: 'address_loopback',
  })
})

test('C50 the checked address is dialed, the name is not resolved again, and a pooled connection keeps it', async () => {
  const port = await httpServer((incoming, answer) => answer.end(incoming.headers.host))
  const asked: string[] = []
  const egress = egressWith({
    resolve: async (hostname) => {
      asked.push(hostname)
      return asked.length === 1 ? ['127.0.0.1'] : ['169.254.169.254']
    },
  })
  const url = `http://provider.example:${port}/`
  expect(await text(await egress.fetch(request(port, { url })))).toBe(`provider.example:${port}`)
  // The connection is free for the next call once the turn that read its last byte is over.
  await new Promise((resolve) => setImmediate(resolve))
  expect(await text(await egress.fetch(request(port, { url })))).toBe(`provider.example:${port}`)
  expect(asked).toEqual(['provider.example'])
})

test('TLS goes to the checked address and asks for the name', async () => {
  const server = createTcpServer()
  const hello = once(server, 'connection').then(async ([socket]) => {
    const [bytes] = await once(socket, 'data')
    socket.destroy()
    return String(bytes)
  })
  const port = await listen(server)
  const egress = egressWith({ resolve: async () => ['127.0.0.1'] })
  const failed = failure(egress.fetch(request(port, { url: `https://tls.provider.example:${port}/` })))
  expect(await hello).toContain('tls.provider.example')
  expect((await failed).kind).toBe('connect')
})

test('C50 an address that is only IPv6 and private is refused', async () => {
  const egress = egressWith({ resolve: async () => ['fd00::1'] })
  const error = await failure(egress.fetch(request(0, { url: 'https://v6.example/' })))
  expect(error).toMatchObject({ kind: 'refused', rule: 'address_unique_local' })
})

test('C50 proxy variables of the environment are not read', async () => {
  const port = await httpServer((_incoming, answer) => answer.end('direct'))
  const before = process.env.http_proxy
  process.env.http_proxy = 'http://127.0.0.1:1'
  try {
    expect(await text(await egressWith().fetch(request(port)))).toBe('direct')
  } finally {
    if (before === undefined) delete process.env.http_proxy
    else process.env.http_proxy = before
  }
})

test.each(['Host', 'connection', 'Transfer-Encoding', 'content-length', 'upgrade'])(
  'a %s header is refused',
  async (name) => {
    const error = await failure(egressWith().fetch(request(1, { headers: { [name]: 'x' } })))
    expect(error).toMatchObject({ kind: 'refused', rule: 'header' })
  },
)

test('a header value with a line break is refused', async () => {
  const port = await httpServer((_incoming, answer) => answer.end())
  const error = await failure(egressWith().fetch(request(port, { headers: { 'x-a': 'b\r\nx-c: d' } })))
  expect(error).toMatchObject({ kind: 'refused', rule: 'request_form' })
})

test('a closed port and a name without addresses are connect failures', async () => {
  const server = createTcpServer()
  const port = await listen(server)
  server.close()
  await once(server, 'close')
  expect((await failure(egressWith().fetch(request(port)))).kind).toBe('connect')
  for (const resolve of [async () => [], () => Promise.reject(new Error('ENOTFOUND'))]) {
    const error = await failure(egressWith({ resolve }).fetch(request(port, { url: 'https://nowhere.example/' })))
    expect(error.kind).toBe('connect')
  }
})

test('a call for public addresses alone reaches no private one that the operator allows', async () => {
  let hits = 0
  const port = await httpServer((_incoming, answer) => {
    hits += 1
    answer.end()
  })
  const egress = egressWith({ resolve: async () => ['127.0.0.1'] })
  // The connection that stays open after this call must not carry the next one.
  await text(await egress.fetch(request(port)))
  expect(await failure(egress.fetch(request(port, { publicOnly: true })))).toMatchObject({ kind: 'refused' })
  const named = { url: `https://tools.example:${port}/`, publicOnly: true }
  expect(await failure(egress.fetch(request(port, named)))).toMatchObject({ kind: 'refused' })
  expect(await egress.resolveAndCheckBase(named.url)).toMatchObject({ ok: true })
  expect(await egress.resolveAndCheckBase(named.url, { publicOnly: true })).toMatchObject({ ok: false })
  expect(hits).toBe(1)
})
