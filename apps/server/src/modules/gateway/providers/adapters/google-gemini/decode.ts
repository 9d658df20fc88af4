/**
 * Gemini's `generateContent` from providers: canonical events of an answer or of the pieces of a stream, which look the
 * same. Pure. Tested in decode.test.ts.
 */
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { AnswerEvent } from '../../../call/call.ts'
import type { StreamDecoder } from '../../adapter.ts'
import { scrub, UpstreamFault } from '../../fault.ts'
import { parseJson } from '../openai/decode.ts'
import { type CandidateReader, createCandidateReader } from './candidate.ts'
import { faultOfEvent } from './errors.ts'
import { GeminiAnswer, GeminiError, type GeminiUsage } from './schema.ts'
import { readUsage } from './usage.ts'

/** Events of a complete answer. @throws UpstreamFault `invalid` */
export function decodeAnswer(text: string): readonly AnswerEvent[] {
  const reader = createReader()
  const events = reader.push(text)
  if (!reader.complete()) throw new UpstreamFault('invalid', 'it is no complete answer')
  return [...events, ...reader.end()]
}

export function createStreamDecoder(): StreamDecoder {
  const reader = createReader()
  return {
    push: ({ data }) => reader.push(data),
    end: () => {
      if (!reader.complete()) throw new UpstreamFault('broken', 'its stream ended early')
      return reader.end()
    },
  }
}

/** Older models say in every piece that they have stopped, so it is the last piece that ends an answer. */
function createReader() {
  const choices = new Map<number, CandidateReader>()
  let started = false
  let usage: GeminiUsage | null = null
  const choiceAt = (index: number, answer: string): CandidateReader => {
    const known = choices.get(index) ?? createCandidateReader(index, answer)
    choices.set(index, known)
    return known
  }
  return {
    push: (text: string): readonly AnswerEvent[] => {
      const piece = readPiece(text)
      refuseBlocked(piece)
      const events: AnswerEvent[] = started ? [] : [startOf(piece)]
      started = true
      usage = piece.usageMetadata ?? usage
      for (const candidate of piece.candidates ?? [])
        events.push(...choiceAt(candidate.index ?? 0, piece.responseId ?? '').push(candidate))
      return events
    },
    complete: (): boolean => choices.size > 0 && [...choices.values()].every((choice) => choice.finished()),
    end: (): readonly AnswerEvent[] => [
      ...[...choices.values()].flatMap((choice) => choice.end()),
      ...(usage === null ? [] : [{ type: 'usage', usage: readUsage(usage) } as const]),
    ],
  }
}

function readPiece(text: string): GeminiAnswer {
  const piece = parseJson(text)
  // Some errors come as a list of one.
  const one: unknown = Array.isArray(piece) ? piece[0] : piece
  if (fits(GeminiError, one)) throw faultOfEvent(one)
  if (!fits(GeminiAnswer, piece)) throw new UpstreamFault('invalid', 'it is no answer of this kind')
  return piece
}

/** A prompt that is not let through gets an answer without candidates. */
function refuseBlocked({ candidates, promptFeedback }: GeminiAnswer): void {
  const reason = promptFeedback?.blockReason
  if (!reason || (candidates?.length ?? 0) > 0) return
  const message = promptFeedback?.blockReasonMessage
  throw new UpstreamFault('content_filtered', scrub(`The provider's filter blocked the prompt: ${message || reason}.`))
}

function startOf({ modelVersion, responseId }: GeminiAnswer): AnswerEvent {
  return { type: 'start', model: modelVersion ?? '', fingerprint: null, ...(responseId ? { id: responseId } : {}) }
}
