/** Integers of more than 53 bits, through the gateway and back. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type OpenAiWorld, openOpenAiWorld } from '../testing/openai-world.ts'
import { addProvider } from '../testing/support.ts'

const id = '1234567890123456789'
const most = '9223372036854775807'

let at: OpenAiWorld
let server: Server
let sent = ''
let reply = ''
let type = 'application/json'

beforeAll(async () => {
  at = await openOpenAiWorld()
  // The sent body is compared as text: a JSON reader would round its numbers.
  server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece) => pieces.push(piece))
    request.on('end', () => {
      sent = Buffer.concat(pieces).toString()
      response.writeHead(200, { 'content-type': type }).end(reply)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await addProvider(at.admin, 'raw', { ...at.upstream, url: `${url}/v1` }, { models: ['raw-*'] })
  const kinds = { claude: 'anthropic', gemini: 'google_gemini' }
  for (const [name, kind] of Object.entries(kinds))
    await addProvider(at.admin, name, { ...at.upstream, url }, { kind, models: [`${name}-*`], base_url: url })
})

afterAll(async () => {
  server?.close()
  await at?.close()
})

beforeEach(() => {
  type = 'application/json'
})

/** The answer as text. */
async function asked(path: string, body: string): Promise<string> {
  const response = await fetch(`${at.address}/api/v1/gateway${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${at.key}`, 'content-type': 'application/json', 'x-gateway-cache': 'off' },
    body,
  })
  const text = await response.text()
  expect([response.status, text]).toEqual([200, text])
  return text
}

const chat = '/openai/v1/chat/completions'
const messages = '/anthropic/v1/messages'

const openAis = (message: string, more = '') =>
  `{"id":"c","object":"chat.completion","created":1,"model":"raw-1","choices":[{"index":0,"message":${message},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}${more}}`

const claudes = (input: string) =>
  `{"id":"m","type":"message","role":"assistant","model":"claude-1","content":[{"type":"tool_use","id":"t1","name":"get","input":${input}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":2}}`

const tool = `{"name":"get","input_schema":{"type":"object","properties":{"id":{"type":"integer","maximum":${most}}}}}`
const history = `[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"tool_use","id":"t0","name":"get","input":{"id":${id}}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t0","content":"ok"}]}]`

test('bounds of a schema and members nobody knows reach a provider of the same form, and come back', async () => {
  reply = openAis('{"role":"assistant","content":"Hello."}', `,"vendor_trace":${id}`)
  const parameters = `{"type":"object","properties":{"id":{"type":"integer","minimum":-${most},"maximum":${most}}}}`
  const answer = await asked(
    chat,
    `{"model":"raw-1","messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":{"name":"get","parameters":${parameters}}}],"vendor_id":${id}}`,
  )
  expect(sent).toContain(`"minimum":-${most},"maximum":${most}`)
  expect(sent).toContain(`"vendor_id":${id}`)
  expect(answer).toContain(`"vendor_trace":${id}`)
})

test('an id in the input of a tool is the same at the provider and at the client', async () => {
  reply = claudes(`{"id":${id}}`)
  const body = `{"model":"claude-1","max_tokens":50,"tools":[${tool}],"messages":${history}}`
  const answer = await asked(messages, body)
  expect(sent).toContain(`"input":{"id":${id}}`)
  expect(sent).toContain(`"maximum":${most}`)
  expect(answer).toContain(`"input":{"id":${id}}`)
})

test('a call that fits its schema is not said to miss it', async () => {
  reply = claudes(`{"id":${id}}`)
  const body = `{"model":"claude-1","max_tokens":50,"tools":[${tool}],"messages":[{"role":"user","content":"Hi"}]}`
  await asked(messages, body)
  const { data } = (await at.admin.get('/gateway/requests', { query: { limit: '1' } })).body
  expect(data[0].security.policy_violations).toEqual([])
})

test('arguments that are text in one form and JSON in the other keep it both ways', async () => {
  reply = claudes(`{"id":${id}}`)
  const called = `{"id":"t0","type":"function","function":{"name":"get","arguments":"{\\"id\\":${id}}"}}`
  const turns = `[{"role":"user","content":"Hi"},{"role":"assistant","content":null,"tool_calls":[${called}]},{"role":"tool","tool_call_id":"t0","content":"ok"}]`
  const answer = await asked(chat, `{"model":"claude-1","messages":${turns}}`)
  expect(sent).toContain(`"input":{"id":${id}}`)
  expect(JSON.parse(answer).choices[0].message.tool_calls[0].function.arguments).toBe(`{"id":${id}}`)
})

test('another provider whose arguments are JSON keeps it too', async () => {
  reply = `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"get","args":{"id":${id}}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}`
  const answer = await asked(messages, `{"model":"gemini-1","max_tokens":50,"messages":${history}}`)
  expect(sent).toContain(`"args":{"id":${id}}`)
  expect(answer).toContain(`"input":{"id":${id}}`)
})

test('in a stream as well', async () => {
  type = 'text/event-stream'
  const chunk = (delta: string, finish = 'null', more = '') =>
    `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"raw-1","choices":[{"index":0,"delta":${delta},"finish_reason":${finish}}]${more}}\n\n`
  reply = `${chunk('{"role":"assistant","content":"Hello."}', 'null', `,"vendor_trace":${id}`)}${chunk('{}', '"stop"')}data: [DONE]\n\n`
  const body = `{"model":"raw-1","stream":true,"messages":[{"role":"user","content":"Hi"}]}`
  expect(await asked(chat, body)).toContain(`"vendor_trace":${id}`)
})

test('one that is somebody’s is hidden like any other', async () => {
  const card = '4123456789012345677'
  reply = openAis('{"role":"assistant","content":"Hello."}')
  await asked(chat, `{"model":"raw-1","messages":[{"role":"user","content":"Hi"}],"vendor_id":${card}}`)
  expect(sent).toContain('"vendor_id":"⟦CREDIT_CARD_1⟧"')
  expect(sent).not.toContain('\uFDD0')
})
