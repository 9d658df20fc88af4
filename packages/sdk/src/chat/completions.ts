import { type Answer, readAnswer } from '../http/answer.ts'
import type { Caller } from '../http/caller.ts'
import type { CallOptions } from '../http/request.ts'
import { type ChatStream, openChatStream } from './stream.ts'
import type { ChatCompletion, ChatRequest } from './types.ts'

export type ChatOptions = Pick<CallOptions, 'headers' | 'signal' | 'idempotencyKey'>

export interface ChatCompletions {
  /** Asks a model through the gateway's pipeline. @throws ProblemError, for instance GW-003 */
  create(request: ChatRequest & { readonly stream?: false }, options?: ChatOptions): Promise<Answer<ChatCompletion>>
  create(request: ChatRequest & { readonly stream: true }, options?: ChatOptions): Promise<ChatStream>
}

/**
 * Unlike other POSTs, a model call gets no idempotency key by itself: the server would have to store every answer, and
 * a repeated call after a lost answer would be a second model call that somebody pays for. The caller decides.
 */
export function createChatCompletions(call: Caller, now: () => number): ChatCompletions {
  function create(
    request: ChatRequest & { readonly stream?: false },
    options?: ChatOptions,
  ): Promise<Answer<ChatCompletion>>
  function create(request: ChatRequest & { readonly stream: true }, options?: ChatOptions): Promise<ChatStream>
  function create(
    body: ChatRequest & { readonly stream?: boolean },
    options: ChatOptions = {},
  ): Promise<Answer<ChatCompletion> | ChatStream> {
    const request = { ...options, method: 'POST', path: '/gateway/chat/completions', body } as const
    if (body.stream !== true) return call(request, readAnswer<ChatCompletion>)
    return call({ ...request, accept: 'text/event-stream' }, async (response) =>
      openChatStream(response, { now, signal: options.signal }),
    )
  }
  return { create }
}
