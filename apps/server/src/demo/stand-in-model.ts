import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StandInModel {
  readonly baseUrl: string
  /** Prompts as they arrived here, newest last: what a provider would have seen. */
  readonly received: readonly string[]
  close(): Promise<void>
}

interface ChatBody {
  readonly model: string
  readonly stream: boolean
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

/**
 * A small server on the loopback address that speaks the OpenAI chat form, so that the demo can show the bytes that
 * leave for a provider. It is no language model and says so in every answer.
 */
export async function startStandInModel(): Promise<StandInModel> {
  const received: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.method === 'GET') {
        sendJson(response, models)
        return
      }
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Partial<ChatBody>
      const prompt = body.messages?.findLast((message) => message.role === 'user')?.content ?? ''
      received.push(prompt)
      answer(response, { model: body.model ?? 'stand-in-1', stream: body.stream === true, prompt })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const models = { object: 'list', data: [{ id: 'stand-in-1', object: 'model', created: 0, owned_by: 'demo' }] }
const usage = { prompt_tokens: 20, completion_tokens: 20, total_tokens: 40 }

interface Asked {
  readonly model: string
  readonly stream: boolean
  readonly prompt: string
}

function answer(response: ServerResponse, { model, stream, prompt }: Asked): void {
  const content = `[stand-in model, no AI] You wrote: ${prompt}`
  const common = { id: 'chatcmpl-demo', created: 0, model }
  if (stream) {
    sendStream(response, { ...common, object: 'chat.completion.chunk' }, content)
    return
  }
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
  sendJson(response, { ...common, object: 'chat.completion', choices, usage })
}

/** Pieces so short that what was redacted is always cut in the middle. */
const pieceForm = /[\s\S]{1,5}/g

function sendStream(response: ServerResponse, common: object, content: string): void {
  const send = (data: object): boolean => response.write(`data: ${JSON.stringify({ ...common, ...data })}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const piece of content.match(pieceForm) ?? []) {
    send({ choices: [{ index: 0, delta: { role: 'assistant', content: piece }, finish_reason: null }] })
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
  send({ choices: [], usage })
  response.end('data: [DONE]\n\n')
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
