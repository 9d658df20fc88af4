/**
 * The built-in offline provider: deterministic answers without a network, so that everything around a model can be seen
 * and tested. Promises the same bytes for the same call and that every text but JSON says no model was called; it is no model.
 * Tested in echo.test.ts.
 */

import { sha256 } from '../../../../../kernel/crypto/digest.ts'
import type { AnswerEvent, CanonicalCall, Part } from '../../../call/call.ts'
import { countedTokens } from '../../../call/events.ts'
import type { FinishReason } from '../../../call/finish-reason.ts'
import { charactersPerToken, tokensOf } from '../../../call/tokens.ts'
import type { LocalParts } from '../../adapter.ts'
import { UpstreamFault } from '../../fault.ts'
import { pause } from '../../pause.ts'
import type { EchoAnswer } from './answer.ts'
import { runFault } from './fault.ts'
import { jsonAnswer, scriptedAnswer } from './script.ts'

export const offlineNotice = '[offline demo: no language model was called]'
export const offlineFingerprint = 'offline-demo'
export const embeddingModel = 'echo-embed-1'
export const echoModels = ['echo-1', 'echo-script-1', 'echo-fault-1', embeddingModel] as const
export type EchoModel = Exclude<(typeof echoModels)[number], typeof embeddingModel>

/** Answers a call as a stream of canonical events; whole answers are the same events read at once. */
export async function* echo(call: CanonicalCall, model: EchoModel, parts: LocalParts): AsyncGenerator<AnswerEvent> {
  if (model === 'echo-fault-1') await runFault(lastUserText(call), parts)
  const answer = answerOf(call, model)
  const pacing = paceOf(call)
  yield { type: 'start', model, fingerprint: offlineFingerprint }
  let output = 0
  for (let choice = 0; choice < call.choices; choice += 1) {
    const { text, reason } = limited(answer, call)
    let sent = 0
    for (const piece of pieces(text, pacing.chars)) {
      if (pacing.gapMs > 0) await pause(pacing.gapMs, parts)
      yield { type: 'text', choice, channel: 'text', text: piece }
      sent += piece.length
      if (sent * 2 > text.length && breaksHalfWay(call, model))
        throw new UpstreamFault('broken', 'its stream ended early')
    }
    if (answer.toolCall !== null) yield* toolCallEvents(choice, answer.toolCall)
    yield { type: 'finish', choice, reason: answer.toolCall === null ? reason : 'tool_calls' }
    output += tokens(text)
  }
  yield {
    type: 'usage',
    usage: countedTokens('estimated', { inputTokens: inputTokens(call), outputTokens: output }),
  }
}

function breaksHalfWay(call: CanonicalCall, model: EchoModel): boolean {
  return model === 'echo-fault-1' && lastUserText(call).includes('fault:half-stream')
}

function answerOf(call: CanonicalCall, model: EchoModel): EchoAnswer {
  const scripted = model === 'echo-script-1' ? scriptedAnswer(call, lastUserText(call)) : null
  // JSON that was asked for has to be JSON; the headers and the fingerprint say that no model was called.
  const asksJson = call.format !== null && call.format.type !== 'text'
  if (asksJson && (scripted?.toolCall ?? null) === null)
    return { text: JSON.stringify(jsonAnswer(call)), toolCall: null }
  const answer = scripted ?? { text: digest(call), toolCall: null }
  return { ...answer, text: `${offlineNotice} ${answer.text}` }
}

function inputTokens(call: CanonicalCall): number {
  const parts = call.turns.flatMap((turn) => turn.parts)
  return parts.reduce((sum, part) => sum + (part.type === 'text' ? tokens(part.text) : 0), 0)
}

const shownCharacters = 400

function digest(call: CanonicalCall): string {
  const text = lastUserText(call)
  const sha = sha256(text).slice(0, 8)
  const shown = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
  return `Your last message has ${text.length} characters (sha256 ${sha})${unseen(call)}: ${shown}`
}

/** Images, sounds and files of the last message, of which only the number is known. */
function unseen(call: CanonicalCall): string {
  const count = lastUserParts(call).filter(({ type }) => type !== 'text' && type !== 'reasoning').length
  return count === 0 ? '' : ` and ${count} ${count === 1 ? 'attachment' : 'attachments'} nobody looked at`
}

function lastUserParts(call: CanonicalCall): readonly Part[] {
  return call.turns.findLast(({ role }) => role === 'user')?.parts ?? []
}

function lastUserText(call: CanonicalCall): string {
  return lastUserParts(call)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')
}

function limited({ text }: EchoAnswer, call: CanonicalCall): { readonly text: string; readonly reason: FinishReason } {
  const stopAt = call.stop.map((stop) => (stop === '' ? -1 : text.indexOf(stop))).filter((at) => at >= 0)
  const stopped = stopAt.length > 0 ? text.slice(0, Math.min(...stopAt)) : text
  const allowed = call.maxTokens === null ? stopped.length : call.maxTokens * charactersPerToken
  return allowed < stopped.length
    ? { text: stopped.slice(0, allowed), reason: 'length' }
    : { text: stopped, reason: 'stop' }
}

const tokens = (text: string): number => tokensOf(text.length)

function* pieces(text: string, chars: number): Generator<string> {
  for (let at = 0; at < text.length; at += chars) yield text.slice(at, at + chars)
}

function* toolCallEvents(
  choice: number,
  call: { readonly name: string; readonly arguments: string },
): Generator<AnswerEvent> {
  yield { type: 'tool_call', choice, index: 0, id: `call_${choice}_0`, name: call.name }
  yield { type: 'tool_arguments', choice, index: 0, text: call.arguments }
}

/** Chunk size and gap between chunks, settable by the caller's metadata so that streams can be watched. */
function paceOf({ metadata }: CanonicalCall): { readonly chars: number; readonly gapMs: number } {
  return { chars: bounded(metadata.echo_chunk_chars, 1, 4096, 24), gapMs: bounded(metadata.echo_gap_ms, 0, 5000, 0) }
}

function bounded(text: string | undefined, least: number, most: number, fallback: number): number {
  const value = text !== undefined && /^\d{1,5}$/.test(text) ? Number(text) : fallback
  return Math.min(most, Math.max(least, value))
}
