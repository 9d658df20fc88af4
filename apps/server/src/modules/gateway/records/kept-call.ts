/**
 * A call as it is kept: the redacted call itself, so that it can be run again, without bytes that cannot be searched or
 * shown and without parts that the redaction does not inspect. Tested in replay.test.ts.
 */
import { type CanonicalCall, emptyCall, type MediaSource, type Part } from '../call/call.ts'
import { readDataUrl } from '../call/texts/data-url.ts'
import type { Payload } from '../schemas/request.ts'

export interface KeptCall {
  readonly call: CanonicalCall
  /** False when pictures, sound or files were left out, without which it is another call. */
  readonly whole: boolean
}

/** Metadata and the vendors' sealed data are left out because no detector reads them. */
export function keptCall(call: CanonicalCall): KeptCall {
  let whole = true
  const leave = <T>(kept: T): T => {
    whole = false
    return kept
  }
  const source = (given: MediaSource): MediaSource | null => (given.kind === 'data' ? leave(null) : given)
  const part = (given: Part): readonly Part[] => {
    switch (given.type) {
      case 'text':
        return [given]
      case 'image':
        return readDataUrl(given.url) !== null ? leave([]) : [given]
      case 'audio': {
        const kept = source(given.source)
        return kept === null ? [] : [{ ...given, source: kept }]
      }
      case 'file':
        return [{ ...given, source: given.source === null ? null : source(given.source) }]
      case 'reasoning':
        return [{ ...given, data: null }]
      default:
        return given satisfies never
    }
  }
  const turns = call.turns.map((turn) => ({ ...turn, parts: turn.parts.flatMap(part) }))
  return { call: { ...call, turns, metadata: {} }, whole }
}

/** A kept call in today's form: fields that came later ask for nothing. */
export function readKeptCall(stored: Partial<CanonicalCall>): CanonicalCall {
  return { ...emptyCall, ...stored }
}

/** The call as people read it. */
export function messagesOf({ turns, embed }: CanonicalCall): Payload['messages'] {
  const embedded = (embed?.inputs ?? []).filter((input) => typeof input === 'string')
  return [
    ...turns.map(({ role, parts, toolCalls }) => ({
      role,
      texts: parts.flatMap(textsOfPart),
      tool_calls: toolCalls.map(({ name, arguments: text }) => ({ name, arguments: text })),
    })),
    ...(embedded.length === 0 ? [] : [{ role: 'user' as const, texts: embedded, tool_calls: [] }]),
  ]
}

function textsOfPart(part: Part): readonly string[] {
  if (part.type === 'text') return [part.text]
  return part.type === 'file' && part.text !== null ? [part.text] : []
}
