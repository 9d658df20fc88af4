import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { closeAll, egressWith, failure, httpServer, listen, request, tinyTimeout } from './testing/upstream.ts'

afterEach(closeAll)

test('C52 a connection that is not made in time ends as timeout_connect', async () => {
  const egress = egressWith({ resolve: () => new Promise(() => {}) })
  const error = await failure(
    egress.fetch(request(0, { url: 'https://slow.example/', timeouts: tinyTimeout('connectMs') })),
  )
  expect(error.kind).toBe('timeout_connect')
})

test('C52 an answer that does not begin ends as timeout_first_byte and closes the connection', async () => {
  const server = createHttpServer(() => {})
  const closed = once(server, 'connection').then(([socket]) => once(socket, 'close'))
  const port = await listen(server)
  const error = await failure(egressWith().fetch(request(port, { timeouts: tinyTimeout('firstByteMs') })))
  expect(error.kind).toBe('timeout_first_byte')
  await closed
})

test('C52 an answer that stops ends as timeout_idle after what had come', async () => {
  const port = await httpServer((_incoming, answer) => void answer.write('begin'))
  const response = await egressWith().fetch(request(port, { timeouts: tinyTimeout('idleMs') }))
  const seen: string[] = []
  const reading = (async () => {
    for await (const chunk of response.body) seen.push(new TextDecoder().decode(chunk))
  })()
  expect((await failure(reading)).kind).toBe('timeout_idle')
  expect(seen).toEqual(['begin'])
})

test('C52 an answer that never ends is cut by timeout_total however lively it is', async () => {
  const port = await httpServer((_incoming, answer) => {
    const timer = setInterval(() => answer.write('x'), 2)
    answer.on('close', () => clearInterval(timer))
  })
  // On a busy machine the time may be over before the answer began.
  const reading = async () => (await egressWith().fetch(request(port, { timeouts: tinyTimeout('totalMs') }))).bytes()
  expect((await failure(reading())).kind).toBe('timeout_total')
})

test('C50 C52 a body over the cap is cut, announced or not', async () => {
  const announced = await httpServer((_incoming, answer) => answer.end('x'.repeat(2_000)))
  expect((await failure(egressWith().fetch(request(announced, { maxBytes: 1_999 })))).kind).toBe('too_large')
  const endless = await httpServer((_incoming, answer) => {
    const more = () => {
      while (answer.write('x'.repeat(1_000)));
    }
    answer.on('drain', more)
    more()
  })
  const response = await egressWith().fetch(request(endless, { maxBytes: 50_000 }))
  expect((await failure(response.bytes())).kind).toBe('too_large')
})

test('a body of exactly the cap passes', async () => {
  const port = await httpServer((_incoming, answer) => answer.end('x'.repeat(2_000)))
  const response = await egressWith().fetch(request(port, { maxBytes: 2_000 }))
  expect((await response.bytes()).length).toBe(2_000)
})

test('a connection that breaks in the middle is a reset', async () => {
  const port = await httpServer((_incoming, answer) => {
    answer.writeHead(200, { 'content-length': '100' })
    answer.write('part', () => answer.destroy())
  })
  const response = await egressWith().fetch(request(port))
  expect((await failure(response.bytes())).kind).toBe('reset')
})

test('aborting before the answer reaches the upstream', async () => {
  const abort = new AbortController()
  const server = createHttpServer(() => abort.abort())
  const closed = once(server, 'connection').then(([socket]) => once(socket, 'close'))
  const port = await listen(server)
  expect((await failure(egressWith().fetch(request(port, { signal: abort.signal })))).kind).toBe('aborted')
  await closed
})

test('aborting in the middle of a stream reaches the upstream', async () => {
  const abort = new AbortController()
  let upstreamClosed: Promise<unknown> = Promise.resolve()
  const port = await httpServer((_incoming, answer) => {
    upstreamClosed = once(answer, 'close')
    answer.write('begin')
  })
  const response = await egressWith().fetch(request(port, { signal: abort.signal }))
  const reading = (async () => {
    for await (const _chunk of response.body) abort.abort()
  })()
  expect((await failure(reading)).kind).toBe('aborted')
  await upstreamClosed
})

test('a reader that leaves early, or cancels, frees the upstream', async () => {
  const closed: Promise<unknown>[] = []
  const port = await httpServer((_incoming, answer) => {
    closed.push(once(answer, 'close'))
    answer.write('begin')
  })
  const egress = egressWith()
  for await (const _chunk of (await egress.fetch(request(port))).body) break
  const unread = await egress.fetch(request(port))
  unread.cancel()
  await Promise.all(closed)
  expect(closed).toHaveLength(2)
})

test('a signal that is aborted already sends nothing', async () => {
  let hits = 0
  const port = await httpServer((_incoming, answer) => {
    hits += 1
    answer.end()
  })
  const error = await failure(egressWith().fetch(request(port, { signal: AbortSignal.abort() })))
  expect(error.kind).toBe('aborted')
  expect(hits).toBe(0)
})

test('a call given up while it waits for its connection is never sent', async () => {
  const received: string[] = []
  const port = await httpServer((incoming, answer) => {
    received.push(incoming.url ?? '')
    answer.end()
  })
  let answerResolver = (_addresses: string[]) => {}
  const egress = egressWith({ resolve: () => new Promise((resolve) => (answerResolver = resolve)) })
  const abort = new AbortController()
  const url = `http://provider.example:${port}`
  const given = failure(egress.fetch(request(port, { url: `${url}/given-up`, method: 'POST', signal: abort.signal })))
  const kept = egress.fetch(request(port, { url: `${url}/kept` }))
  await new Promise((resolve) => setImmediate(resolve))
  abort.abort()
  expect((await given).kind).toBe('aborted')
  answerResolver(['127.0.0.1'])
  void (await kept).cancel()
  expect(received).toEqual(['/kept'])
})

test('closing ends calls in flight', async () => {
  const egress = egressWith()
  const port = await httpServer(() => void egress.close())
  expect((await failure(egress.fetch(request(port)))).kind).toBe('aborted')
})
