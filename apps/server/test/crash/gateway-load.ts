/**
 * One client of the model calls' crash suite: whole answers and streams with personal data in them, the same question
 * again and again for the cache, feedback and exports, one after the other until the server is gone. Promises to
 * remember its answers to the last byte and nothing else. Tested by the findings of gateway.test.ts.
 */
import { call, type HttpAnswer } from '../support/http.ts'
import type { Chance } from './random.ts'

export type GatewayAction = 'whole' | 'stream' | 'cached' | 'feedback' | 'export'

/** An answer the server must still know. */
export interface Answered {
  readonly action: GatewayAction
  /** Of the log row, the feedback or the export. */
  readonly id: string
  readonly requestId: string
}

export interface LoadParts {
  readonly number: number
  readonly token: string
  readonly chance: Chance
  readonly answered: (answer: Answered) => void
}

export interface LoadClient {
  /** Calls until the connection fails. @throws Error when an answer is not the expected one */
  workUntilCut(address: string): Promise<void>
}

const actions: readonly GatewayAction[] = [
  ...(['whole', 'whole', 'whole', 'stream', 'stream', 'stream', 'cached', 'cached', 'feedback', 'export'] as const),
]

export function createLoadClient({ number, token, chance, answered }: LoadParts): LoadClient {
  let made = 0
  let lastCall: string | null = null

  const post = async (address: string, path: string, body: unknown, status: number): Promise<HttpAnswer> => {
    const answer = await call(address, path, { method: 'POST', token, body })
    if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${answer.text}`)
    return answer
  }
  const chat = (content: string, over: object) => ({
    ...{ model: 'test-model', messages: [{ role: 'user', content }], cache: { mode: 'off' }, max_tokens: 20 },
    ...over,
  })
  const question = (): string => `Write to person${number}.${made}@example.org about it.`

  const work: Readonly<Record<GatewayAction, (address: string) => Promise<HttpAnswer | null>>> = {
    whole: (address) => post(address, '/gateway/chat/completions', chat(question(), {}), 200),
    stream: (address) => stream(address, token, chat(question(), { stream: true })),
    cached: (address) => {
      const body = chat(`Say ${chance.below(4)}.`, { cache: { mode: 'exact' }, temperature: 0 })
      return post(address, '/gateway/chat/completions', body, 200)
    },
    feedback: async (address) => {
      const body = { kind: 'answer', rating: 1 }
      return lastCall === null ? null : post(address, `/gateway/requests/${lastCall}/feedback`, body, 201)
    },
    export: async (address) =>
      // Few, because each reads all calls so far.
      chance.below(4) > 0 ? null : post(address, '/gateway/requests/export', { format: 'jsonl', gzip: false }, 201),
  }

  return {
    workUntilCut: async (address) => {
      for (;;) {
        made += 1
        const action = chance.pick(actions) ?? 'whole'
        try {
          const answer = await work[action](address)
          if (answer === null) continue
          const { id } = answer.data
          if (action === 'whole' || action === 'stream') lastCall = id
          answered({ action, id, requestId: answer.requestId })
        } catch (error) {
          if (error instanceof TypeError) return
          throw error
        }
      }
    },
  }
}

/** @throws TypeError when the connection fails before the last byte */
async function stream(address: string, token: string, body: object): Promise<HttpAnswer> {
  const answer = await fetch(`${address}/api/v1/gateway/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (answer.status !== 200 || !text.includes('event: done')) throw new Error(`stream: ${answer.status} ${text}`)
  const completed = /^event: completed\ndata: (.*)$/m.exec(text)?.[1] ?? ''
  const { data, meta } = JSON.parse(completed)
  return { status: 200, requestId: meta.request_id, replayed: false, data, errorCode: null, text }
}
