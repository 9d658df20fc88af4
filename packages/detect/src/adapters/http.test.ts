import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Classifier } from './classifier.ts'
import { createHttpClassifier, type HttpClassifierOptions } from './http.ts'

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

let server: Server
let url = ''
let answer: Answer
const requests: { readonly body: unknown; readonly headers: IncomingMessage['headers'] }[] = []
const never = new AbortController().signal

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      requests.push({ body: JSON.parse(body), headers: request.headers })
      answer(request, response, body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/classify`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  requests.length = 0
  answer = (_request, response, body) => {
    const { inputs }: { inputs: string[] } = JSON.parse(body)
    response.end(JSON.stringify({ scores: inputs.map((text) => (text.includes('attack') ? 0.75 : 0.125)) }))
  }
})

function classifierWith(options: Partial<HttpClassifierOptions> = {}): Classifier {
  return createHttpClassifier({
    url,
    request: { inputs: '{{texts}}' },
    score: { items: '/scores', at: '' },
    timeoutMs: 10_000,
    maxTokens: 512,
    now: () => 0,
    fetch,
    ...options,
  })
}

const status =
  (code: number, body = ''): Answer =>
  (_request, response) =>
    response.writeHead(code).end(body)

test('texts go out as mapped and scores come back in order', async () => {
  const classifier = classifierWith({
    headers: { authorization: 'Bearer t' },
    request: { inputs: '{{texts}}', model: 'm' },
  })
  expect(await classifier.classify(['hello', 'an attack'], never)).toEqual([0.125, 0.75])
  expect(requests).toMatchObject([
    {
      body: { inputs: ['hello', 'an attack'], model: 'm' },
      headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
    },
  ])
})

test('a service of one text is asked once for each', async () => {
  answer = (_request, response, body) => response.end(JSON.stringify({ p: JSON.parse(body).q === 'b' ? 1 : 0 }))
  const classifier = classifierWith({ request: { q: '{{text}}' }, score: { at: '/p' } })
  expect(await classifier.classify(['a', 'b', 'c'], never)).toEqual([0, 1, 0])
  expect(requests).toHaveLength(3)
})

test('a long text is cut into windows and its worst window counts', async () => {
  const classifier = classifierWith({ maxTokens: 32, charactersPerToken: 1, batch: 4 })
  const scores = await classifier.classify([`${'x '.repeat(60)}attack${' y'.repeat(60)}`, 'short'], never)
  expect(scores).toEqual([0.75, 0.125])
  // 246 characters in windows of 32, steps of 24: nine full steps and the last window, with the short text 11 pieces.
  expect(requests.map(({ body }) => Object.values(body ?? {}).flat().length)).toEqual([4, 4, 3])
})

test('a text of too many windows is refused without a request', async () => {
  const classifier = classifierWith({ maxTokens: 32, maxWindows: 4 })
  await expect(classifier.classify(['x'.repeat(10_000)], never)).rejects.toMatchObject({ reason: 'too-long' })
  expect(requests).toHaveLength(0)
})

test('half a surrogate pair leaves as a replacement character', async () => {
  await classifierWith().classify(['a\ud800b'], never)
  expect(requests[0]?.body).toEqual({ inputs: ['a\ufffdb'] })
})

test.each<[string, string, Answer]>([
  ['an error of the server', 'unavailable', status(500, '{"scores":[1]}')],
  ['a refusal', 'unavailable', status(429)],
  ['a redirect', 'unavailable', (_, response) => response.writeHead(307, { location: url }).end()],
  ['a broken connection', 'unavailable', (request) => request.socket.destroy()],
  [
    'half an answer',
    'unavailable',
    (_, response) => response.writeHead(200, { 'content-length': 99 }).write('{"sc', () => response.destroy()),
  ],
  ['garbage', 'invalid-answer', status(200, '\0<html>')],
  ['nothing', 'invalid-answer', status(200)],
  ['the wrong shape', 'invalid-answer', status(200, '{"scores":{"0":1}}')],
  ['the wrong count', 'invalid-answer', status(200, '{"scores":[0.1,0.2]}')],
  ['a logit', 'invalid-answer', status(200, '{"scores":[-3.5]}')],
])('%s is an error, asked for once', async (_, reason, given) => {
  answer = given
  await expect(classifierWith().classify(['a'], never)).rejects.toMatchObject({ name: 'ClassifierError', reason })
  expect(requests).toHaveLength(1)
})

test('a huge answer is not read to its end', async () => {
  let sent = 0
  answer = (_request, response) => {
    const push = (): void => {
      while (!response.destroyed && sent < 200_000_000 && response.write(' '.repeat(65_536))) sent += 65_536
    }
    response.on('drain', push)
    push()
  }
  const classifier = classifierWith({ maxAnswerBytes: 100_000 })
  await expect(classifier.classify(['a'], never)).rejects.toMatchObject({ reason: 'invalid-answer' })
  expect(sent).toBeLessThan(200_000_000)
})

test('a service that hangs is given up at the deadline', async () => {
  answer = () => undefined
  await expect(classifierWith({ timeoutMs: 30 }).classify(['a'], never)).rejects.toMatchObject({ reason: 'timeout' })
  answer = (_request, response) => response.write('{"scores":')
  await expect(classifierWith({ timeoutMs: 30 }).classify(['a'], never)).rejects.toMatchObject({ reason: 'timeout' })
})

test('the caller hanging up ends the call with its reason and does not count as a failure', async () => {
  const classifier = classifierWith({ breaker: { failures: 1 } })
  const controller = new AbortController()
  answer = () => controller.abort(new Error('hung up'))
  await expect(classifier.classify(['a'], controller.signal)).rejects.toThrow('hung up')
  answer = status(200, '{"scores":[0.5]}')
  expect(await classifier.classify(['a'], never)).toEqual([0.5])
})

test('nobody listening is unavailable', async () => {
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const address = closed.address()
  const port = typeof address === 'object' ? address?.port : 0
  await new Promise((resolve) => closed.close(resolve))
  const classifier = classifierWith({ url: `http://127.0.0.1:${port}/` })
  await expect(classifier.classify(['a'], never)).rejects.toMatchObject({ reason: 'unavailable' })
})

test('after repeated failures it rests, then one call finds out that it works again', async () => {
  let now = 0
  const classifier = classifierWith({ breaker: { failures: 2, restMs: 1_000 }, now: () => now })
  const ask = (): Promise<number[]> => classifier.classify(['a'], never)
  answer = status(503)
  await expect(ask()).rejects.toMatchObject({ reason: 'unavailable' })
  await expect(ask()).rejects.toMatchObject({ reason: 'unavailable' })
  await expect(ask()).rejects.toMatchObject({ reason: 'resting' })
  expect(requests).toHaveLength(2)
  now = 1_000
  answer = status(200, '{"scores":[0.5]}')
  const outcomes = await Promise.allSettled([ask(), ask()])
  expect(outcomes).toMatchObject([{ value: [0.5] }, { reason: { reason: 'resting' } }])
  expect(await ask()).toEqual([0.5])
})

test('errors hold neither texts nor headers nor the answer', async () => {
  answer = status(500, 'private answer')
  const classifier = classifierWith({ headers: { authorization: 'Bearer s3cret' } })
  const error: unknown = await classifier.classify(['private text'], never).catch((thrown: unknown) => thrown)
  expect(String(error)).not.toMatch(/private|s3cret/)
})

test.each<[string, Partial<HttpClassifierOptions>]>([
  ['not http', { url: 'file:///etc/passwd' }],
  ['a password', { url: 'https://user:secret@example.test/' }],
  ['{{texts}} or {{text}}', { request: {} }],
  ['JSON pointers', { score: { items: '$.scores', at: '' } }],
  ['score.items', { score: { at: '' } }],
  ['too small', { timeoutMs: 0 }],
])('settings that cannot work are refused: %s', (why, options) => {
  expect(() => classifierWith(options)).toThrow(why)
})
