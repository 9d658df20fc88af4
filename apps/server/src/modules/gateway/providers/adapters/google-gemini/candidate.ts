/** One candidate of Gemini's answer as the events of one choice. Pure. Tested in decode.test.ts. */
import { exactJson } from '../../../../../kernel/base/exact-json.ts'
import type { AnswerEvent, TokenLogprob } from '../../../call/call.ts'
import type { FinishReason } from '../../../call/finish-reason.ts'
import { scrub, UpstreamFault } from '../../fault.ts'
import { googleSignature } from '../anthropic/thought-signatures.ts'
import { callId } from './call-ids.ts'
import type { GeminiCall, GeminiCandidate, GeminiLogprob, GeminiLogprobs, GeminiPart } from './schema.ts'

export interface CandidateReader {
  /** @throws UpstreamFault for an end that is a failure or content that has no place in an answer */
  push(candidate: GeminiCandidate): readonly AnswerEvent[]
  finished(): boolean
  end(): readonly AnswerEvent[]
}

/** `answer` is the vendor's id of it, of which ids of calls are made. */
export function createCandidateReader(choice: number, answer: string): CandidateReader {
  let calls = 0
  let native: string | null = null
  const readCall = (call: GeminiCall): readonly AnswerEvent[] => {
    const index = calls
    calls += 1
    const text = exactJson(call.args ?? {})
    const id = call.id || callId(answer, choice, index, call.name, text)
    return [
      { type: 'tool_call', choice, index, id, name: call.name },
      { type: 'tool_arguments', choice, index, text },
    ]
  }
  const readPart = (part: GeminiPart): readonly AnswerEvent[] => {
    const { text, thought, thoughtSignature: signature, functionCall: call } = part
    if (!call && typeof text !== 'string' && !signature)
      throw new UpstreamFault('invalid', 'it answers with something that is neither text nor a call')
    const sealed = signature ? [googleSignature(signature)] : []
    if (call) return [...sealed, ...readCall(call)]
    const channel = thought === true ? 'reasoning' : 'text'
    return [...(text ? [{ type: 'text', choice, channel, text } as const] : []), ...sealed]
  }
  return {
    push: ({ content, finishReason, finishMessage, logprobsResult }) => {
      const events = (content?.parts ?? []).flatMap(readPart)
      const tokens = logprobsResult ? readLogprobs(logprobsResult) : []
      if (finishReason && failures.has(finishReason))
        throw new UpstreamFault('server_error', scrub(`the answer ended with ${finishReason}. ${finishMessage ?? ''}`))
      native = finishReason ?? native
      return tokens.length === 0 ? events : [...events, { type: 'logprobs', choice, channel: 'text', tokens }]
    },
    finished: () => native !== null,
    end: () => [{ type: 'finish', choice, reason: reasonOf(native ?? '', calls), native: native ?? '' }],
  }
}

/** The model tried to call a tool and wrote something that is no call; it may do better at the next try. */
const failures: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
])

const reasons: Readonly<Record<string, FinishReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  LANGUAGE: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  MODEL_ARMOR: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
  IMAGE_PROHIBITED_CONTENT: 'content_filter',
  IMAGE_RECITATION: 'content_filter',
}

/** The vendor says `STOP` after calls too. */
function reasonOf(native: string, calls: number): FinishReason {
  const reason = Object.hasOwn(reasons, native) ? (reasons[native] ?? 'stop') : 'stop'
  return reason === 'stop' && calls > 0 ? 'tool_calls' : reason
}

function readLogprobs({ chosenCandidates: chosen, topCandidates: top }: GeminiLogprobs): readonly TokenLogprob[] {
  return (chosen ?? []).map((token, index) => ({
    ...readLogprob(token),
    top: (top?.[index]?.candidates ?? []).map(readLogprob),
  }))
}

function readLogprob({ token, logProbability }: GeminiLogprob): Omit<TokenLogprob, 'top'> {
  return { token: token ?? '', logprob: logProbability ?? 0, bytes: null }
}
