/**
 * Both ends of the calls of `stalls.mjs`: the model, which answers as the next case says, and the client. Asked over IPC to
 * prepare a case (`prepare`), so that nothing is made up while it is measured, and to call (`call`).
 */
import { createServer, request } from 'node:http'
import { answerUsage } from '../usage.mjs'
import { callBody, type StallCase, stallCases, streamedAnswer, wholeAnswer } from './stall-cases.ts'

interface Ask {
  readonly type: string
  readonly name: string
  readonly side: 'input' | 'output'
  readonly stream: boolean
  readonly characters: number
  readonly port: number
  readonly token: string
  readonly limitMs: number
}

const small: StallCase = { name: 'small', shape: 'one text', text: () => 'A short text of some words.' }
let salt = 0
let answer: Buffer = Buffer.alloc(0)
let events: readonly Buffer[] = []
let body: Buffer = Buffer.alloc(0)

const upstream = createServer((incoming, response) => {
  const isBig = incoming.headers['content-length'] !== undefined && Number(incoming.headers['content-length']) > 65_536
  const parts: Buffer[] = []
  incoming.on('data', (part: Buffer) => {
    if (!isBig) parts.push(part)
  })
  incoming.on('end', () => {
    if (incoming.url?.includes('/models')) return response.end('{"data":[{"id":"mock-1"}]}')
    const text = Buffer.concat(parts).toString()
    // The neighbor's call says so.
    if (text.includes('neighbor')) return send(response, Buffer.from(wholeAnswer(small, 0)))
    if (events.length > 0) return void stream(response)
    return send(response, answer)
  })
})

function send(response: import('node:http').ServerResponse, bytes: Buffer): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.byteLength }).end(bytes)
}

async function stream(response: import('node:http').ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) {
    if (response.destroyed) return
    if (!response.write(event)) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve))
  }
  response.end()
}

function prepare({ name, side, stream: streams, characters }: Ask): void {
  const one = stallCases.find((known) => known.name === name)
  if (one === undefined) throw new Error(`there is no case ${name}`)
  salt += 1
  const asked: StallCase = side === 'input' ? one : { ...small, text: () => `A short text of some words, ${salt}.` }
  body = Buffer.from(callBody(asked, side === 'input' ? characters : 40, streams))
  const given = side === 'output' ? one : small
  const length = side === 'output' ? characters : 40
  answer = streams ? Buffer.alloc(0) : Buffer.from(wholeAnswer(given, length))
  events = streams ? [...streamedAnswer(given, length)].map((event) => Buffer.from(event)) : []
  process.send?.({ type: 'prepare', bytes: side === 'input' ? body.byteLength : sum(events) + answer.byteLength })
}

const sum = (all: readonly Buffer[]): number => all.reduce((bytes, one) => bytes + one.byteLength, 0)

/** Sends the call and reads the answer to its end, or so long. */
function call({ port, token, limitMs }: Ask): void {
  const from = performance.now()
  const done = (status: number | string): void => {
    clearTimeout(limit)
    process.send?.({ type: 'call', status, seconds: (performance.now() - from) / 1000 })
  }
  const outgoing = request(
    {
      ...{ host: '127.0.0.1', port, method: 'POST', path: '/api/v1/gateway/openai/v1/chat/completions' },
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': body.byteLength,
      },
    },
    (response) => {
      let last = ''
      response.on('data', (bytes: Buffer) => {
        last = bytes.subarray(-400).toString()
      })
      response.on('end', () => {
        const error = /"code":\s?"([A-Z]+-\d+)"/.exec(last)?.[1]
        done(error === undefined ? (response.statusCode ?? 0) : `${response.statusCode} ${error}`)
      })
    },
  )
  let isLate = false
  const limit = setTimeout(() => {
    isLate = true
    outgoing.destroy()
  }, limitMs)
  outgoing.on('error', (error) => done(isLate ? 'given up' : error.message))
  outgoing.end(body)
}

process.on('message', (ask: Ask) => {
  if (ask.type === 'prepare') prepare(ask)
  if (ask.type === 'call') call(ask)
})
upstream.keepAliveTimeout = 60_000
upstream.listen(0, '127.0.0.1', () => {
  const address = upstream.address()
  answerUsage({
    port: typeof address === 'object' ? address?.port : null,
    cases: stallCases.map(({ name }) => name),
  })
})
