import { ProblemError } from '@parapet/sdk'
import { useRef, useState } from 'react'
import { signedIn } from '../api/client'

export type Exchange =
  | { readonly at: 'empty' }
  | { readonly at: 'running' | 'done'; readonly text: string; readonly requestId: string | null }
  | { readonly at: 'failed'; readonly text: string; readonly requestId: string | null; readonly error: unknown }

interface Prompt {
  readonly model: string
  readonly text: string
}

/** One prompt and its answer as it comes. */
export function useExchange() {
  const [exchange, setExchange] = useState<Exchange>({ at: 'empty' })
  const running = useRef<AbortController | null>(null)

  const send = async ({ model, text }: Prompt): Promise<void> => {
    const control = new AbortController()
    running.current = control
    let answer = ''
    let requestId: string | null = null
    setExchange({ at: 'running', text: '', requestId })
    try {
      const body = { model, messages: [{ role: 'user' as const, content: text }] }
      const stream = await signedIn().chat.completions.create({ ...body, stream: true }, { signal: control.signal })
      requestId = stream.requestId
      for await (const event of stream) {
        if (event.type !== 'chunk') continue
        answer += event.data.choices[0]?.delta.content ?? ''
        setExchange({ at: 'running', text: answer, requestId })
      }
      setExchange({ at: 'done', text: answer, requestId })
    } catch (error) {
      const id = error instanceof ProblemError ? (error.requestId ?? requestId) : requestId
      if (control.signal.aborted) setExchange({ at: 'done', text: `${answer} …`, requestId: id })
      else setExchange({ at: 'failed', text: answer, requestId: id, error })
    }
  }
  return { exchange, send, stop: () => running.current?.abort() }
}
