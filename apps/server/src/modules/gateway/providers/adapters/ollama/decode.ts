/** Ollama's own chat from providers: canonical events of an answer or of the lines of a stream. Pure. Tested in ollama.test.ts. */

import { exactJson } from '../../../../../kernel/base/exact-json.ts'
import { sha256 } from '../../../../../kernel/crypto/digest.ts'
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { AnswerEvent, TokenLogprob, Usage } from '../../../call/call.ts'
import { countedTokens } from '../../../call/events.ts'
import type { StreamDecoder } from '../../adapter.ts'
import { scrub, UpstreamFault } from '../../fault.ts'
import { parseJson } from '../openai/decode.ts'
import { OllamaAnswer, OllamaEmbeddings, OllamaError, type OllamaLogprob, type OllamaToolCall } from './schema.ts'

/** Events of a complete answer. @throws UpstreamFault `invalid` */
export function decodeAnswer(text: string): readonly AnswerEvent[] {
  const decoder = createStreamDecoder()
  const events = decoder.push({ data: text })
  decoder.end()
  return events
}

/** A complete answer is a stream of one line. */
export function createStreamDecoder(): Omit<StreamDecoder, 'push'> & {
  push(frame: { readonly data: string }): readonly AnswerEvent[]
} {
  let started = false
  let finished = false
  let calls = 0
  return {
    push: ({ data }) => {
      const line = readLine(data)
      const events: AnswerEvent[] = started ? [] : [startOf(line)]
      started = true
      const { thinking, content, tool_calls: found } = line.message ?? {}
      if (thinking) events.push({ type: 'text', choice: 0, channel: 'reasoning', text: thinking })
      if (content) events.push({ type: 'text', choice: 0, channel: 'text', text: content })
      for (const call of found ?? []) {
        events.push(...toolCall(call, { index: calls, at: line.created_at ?? '' }))
        calls += 1
      }
      if (line.logprobs?.length)
        events.push({ type: 'logprobs', choice: 0, channel: 'text', tokens: line.logprobs.map(readLogprob) })
      if (!line.done) return events
      finished = true
      return [...events, ...endOf(line, calls > 0)]
    },
    end: () => {
      if (!finished) throw new UpstreamFault('broken', 'its stream ended early')
      return []
    },
  }
}

function readLine(data: string): OllamaAnswer {
  const line = parseJson(data)
  if (fits(OllamaError, line)) throw new UpstreamFault('server_error', scrub(line.error))
  if (!fits(OllamaAnswer, line)) throw new UpstreamFault('invalid', 'it is no chat answer')
  return line
}

function startOf({ model }: { readonly model?: string }): AnswerEvent {
  return { type: 'start', model: model ?? '', fingerprint: null }
}

interface Place {
  readonly index: number
  readonly at: string
}

/** Older versions give calls no id; one made of the call and its moment is the same however often it is read. */
function toolCall({ id, function: called }: OllamaToolCall, { index, at }: Place): readonly AnswerEvent[] {
  const text = exactJson(called.arguments ?? {})
  const made = sha256(JSON.stringify([at, index, called.name, text])).slice(0, 24)
  return [
    { type: 'tool_call', choice: 0, index, id: id || `call_${made}`, name: called.name },
    { type: 'tool_arguments', choice: 0, index, text },
  ]
}

/** The vendor says `stop` after calls too. */
function endOf(line: OllamaAnswer, hasCalls: boolean): readonly AnswerEvent[] {
  const native = line.done_reason ? { native: line.done_reason } : {}
  const ended = line.done_reason === 'length' ? 'length' : 'stop'
  const usage = readUsage(line)
  return [
    { type: 'finish', choice: 0, reason: hasCalls && ended === 'stop' ? 'tool_calls' : ended, ...native },
    ...(usage === null ? [] : [{ type: 'usage', usage } as const]),
  ]
}

/** Without both counts nothing is known: a prompt that was in memory may be left out. */
function readUsage({ prompt_eval_count: read, eval_count: written }: OllamaAnswer): Usage | null {
  if (typeof read !== 'number' || typeof written !== 'number') return null
  return countedTokens('upstream', { inputTokens: read, outputTokens: written })
}

function readLogprob({ token, logprob, bytes, top_logprobs: top }: OllamaLogprob): TokenLogprob {
  const others = (top ?? []).map((other) => ({ ...other, bytes: other.bytes ?? null }))
  return { token, logprob, bytes: bytes ?? null, top: others }
}

/** @throws UpstreamFault `invalid` */
export function decodeEmbeddings(text: string): readonly AnswerEvent[] {
  const answer = parseJson(text)
  if (!fits(OllamaEmbeddings, answer)) throw new UpstreamFault('invalid', 'it is no list of embeddings')
  const { embeddings, prompt_eval_count: read } = answer
  const usage = countedTokens('upstream', { inputTokens: read ?? 0, outputTokens: 0 })
  return [
    startOf(answer),
    ...embeddings.map((vector, index) => ({ type: 'embedding', index, vector }) as const),
    ...(typeof read === 'number' ? [{ type: 'usage', usage } as const] : []),
  ]
}
