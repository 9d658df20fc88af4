/** Answers of a provider that speaks OpenAI's form, down to the member. */
import type { ServerResponse } from 'node:http'
import type { Reply } from './upstream.ts'

export const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }

/** A complete chat answer of one choice. */
export function answer(message: object, finish = 'stop', choice: object = {}, more: object = {}): Reply {
  return body({
    id: 'chatcmpl-upstream',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'served-model',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish, ...choice }],
    usage,
    ...more,
  })
}

export function body(content: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(content))
  }
}

/** Chunks as they are given, then the end; `end: false` leaves the connection open. */
export function chunks(all: readonly object[], { end = true } = {}): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of all) send(response, chunk)
    if (end) response.end('data: [DONE]\n\n')
  }
}

function send(response: ServerResponse, chunk: object): void {
  response.write(`data: ${JSON.stringify({ id: 'chatcmpl-upstream', model: 'served-model', ...chunk })}\n\n`)
}

/** A chunk of the first choice. */
export function delta(said: object, finish: string | null = null, more: object = {}): object {
  return { choices: [{ index: 0, delta: said, finish_reason: finish }], ...more }
}
