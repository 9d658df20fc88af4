import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StandInModel {
  readonly baseUrl: string
  /** Prompts as they arrived here, newest last: what a provider would have seen. */
  readonly received: readonly string[]
  close(): Promise<void>
}

interface ChatBody {
  readonly model: string
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
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Partial<ChatBody>
      const prompt = body.messages?.findLast((message) => message.role === 'user')?.content ?? ''
      if (prompt !== '') received.push(prompt)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(request.method === 'GET' ? models : completion(body.model ?? 'stand-in-1', prompt)))
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

function completion(model: string, prompt: string): object {
  const content = `[stand-in model, no AI] You wrote: ${prompt}`
  return {
    id: 'chatcmpl-demo',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 20, completion_tokens: 20, total_tokens: 40 },
  }
}
