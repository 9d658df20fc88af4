/**
 * How many tokens a call may come to, before anybody has counted them. The bound is meant to be too high: what is
 * reserved too much is given back with the outcome. Tested in bounds.test.ts.
 */
import type { CanonicalCall, Part } from '../call/call.ts'
import { textsOf } from '../call/texts.ts'

/** Vendors' tokenizers make a token of two bytes or more of ordinary text, whatever its language. */
const bytesPerTokenAtLeast = 2
/** A token of ordinary text, for counts that should be right and not safe. */
const bytesPerTokenUsually = 4
/** What vendors put around a turn or a tool. */
const tokensAround = 8
/** Vision models that cut an image into tiles come to less than this; there is no bound that all of them publish. */
const tokensOfImage = 3000
const tokensOfUnreadFile = 50_000
/** Base64 of sound at the lowest usual bit rate, and the highest usual number of tokens a second. */
const soundBytesPerToken = 100

export interface InputCount {
  /** Not exceeded by ordinary calls. */
  readonly atMost: number
  readonly about: number
}

export function countInput(call: CanonicalCall): InputCount {
  const bytes = textsOf(call).reduce((sum, { text }) => sum + (isData(text) ? 0 : Buffer.byteLength(text)), 0)
  const rest = countBesides(call)
  return {
    atMost: Math.ceil(bytes / bytesPerTokenAtLeast) + rest,
    about: Math.ceil(bytes / bytesPerTokenUsually) + rest,
  }
}

/** What is no text of the caller's: media, lists of tokens, and what vendors put around turns and tools. */
export function countBesides(call: CanonicalCall): number {
  const around = (call.turns.length + call.tools.length) * tokensAround
  const media = call.turns.reduce((sum, { parts }) => sum + parts.reduce((all, part) => all + mediaTokens(part), 0), 0)
  const listed = (call.embed?.inputs ?? []).reduce(
    (sum, input) => sum + (typeof input === 'string' ? 0 : input.length),
    0,
  )
  return around + media + listed
}

const isData = (text: string): boolean => text.startsWith('data:')

function mediaTokens(part: Part): number {
  switch (part.type) {
    case 'image':
      return tokensOfImage
    case 'audio':
      return part.source.kind === 'data' ? Math.ceil(part.source.data.length / soundBytesPerToken) : tokensOfUnreadFile
    case 'file':
      if (part.source === null) return 0
      return part.source.kind === 'data'
        ? Math.ceil(part.source.data.length / bytesPerTokenUsually)
        : tokensOfUnreadFile
    default:
      return 0
  }
}

/** Of a model of which nothing is known. */
const mostOutputOfAnyModel = 128_000

/** Tokens the answers may have in all. An embedding is no answer of tokens. */
export function boundOutput(call: CanonicalCall, limitOfModel: number | null): number {
  if (call.embed !== null) return 0
  return (call.maxTokens ?? limitOfModel ?? mostOutputOfAnyModel) * Math.max(1, call.choices)
}
