/**
 * Upper bound of a call's tokens, before they are counted. The bound is deliberately too high: the excess reservation
 * is released with the outcome. Tested in bounds.test.ts.
 */
import type { CanonicalCall, Part } from '../call/call.ts'
import { readDataUrl } from '../call/texts/data-url.ts'
import { isPicture, jsonWithoutPictures } from '../call/texts/pictures.ts'
import { countableTexts } from './countable.ts'

/** Vendors' tokenizers make a token of two bytes or more of ordinary text, in any language. */
const bytesPerTokenAtLeast = 2
/** A token of ordinary text, for counts that should be right and not safe. */
const bytesPerTokenUsually = 4
/** Tokens that vendors add around a turn or a tool. */
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

/** Several steps ask for the same call, and a call never changes: another is put in its place. */
const known = new WeakMap<CanonicalCall, InputCount>()

export function countInput(call: CanonicalCall): InputCount {
  const before = known.get(call)
  if (before !== undefined) return before
  const bytes = [...countableTexts(call), ...sealedTexts(call)].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const rest = countBesides(call)
  const count = {
    atMost: Math.ceil(bytes / bytesPerTokenAtLeast) + rest,
    about: Math.ceil(bytes / bytesPerTokenUsually) + rest,
  }
  known.set(call, count)
  return count
}

/** Texts that models read and no tokenizer here can: thinking that went out sealed and without its text. */
function sealedTexts({ turns }: CanonicalCall): readonly string[] {
  const thoughts = turns.flatMap(({ parts }) => parts.filter((part) => part.type === 'reasoning'))
  return thoughts.flatMap(({ text, data }) => (text === '' && data !== null ? [JSON.stringify(data.value)] : []))
}

/** Tokens other than the caller's text: media, lists of tokens, and those that vendors add around turns and tools. */
export function countBesides(call: CanonicalCall): number {
  const { turns, tools, extra, embed } = call
  const called = turns.reduce((sum, { toolCalls }) => sum + toolCalls.length, 0)
  const around = (turns.length + tools.length + called) * tokensAround
  const media = turns.reduce((sum, { parts }) => sum + parts.reduce((all, part) => all + mediaTokens(part), 0), 0)
  const held = [...extra, ...tools.filter((tool) => tool.kind === 'opaque')]
  const pictures = held.reduce((sum, { value }) => sum + jsonWithoutPictures(value).pictures, 0)
  const listed = (embed?.inputs ?? []).reduce((sum, input) => sum + (typeof input === 'string' ? 0 : input.length), 0)
  return around + media + pictures * tokensOfImage + listed
}

function mediaTokens(part: Part): number {
  switch (part.type) {
    case 'image':
      return holdsWords(part.url) ? Math.ceil(Buffer.byteLength(part.url) / bytesPerTokenAtLeast) : tokensOfImage
    case 'audio':
      return part.source.kind === 'data' ? Math.ceil(part.source.data.length / soundBytesPerToken) : tokensOfUnreadFile
    case 'file':
      // Its extracted text is counted as text.
      if (part.source === null || part.text !== null) return 0
      return part.source.kind === 'data' ? tokensOfFile(part.mime, part.source.data) : tokensOfUnreadFile
    default:
      return 0
  }
}

/** Whether an address holds no picture but something to read. */
const holdsWords = (url: string): boolean => readDataUrl(url) !== null && !isPicture(url)

const isText = (mime: string | null): boolean => mime !== null && /^text\/|[/+](?:json|xml|yaml)\b/.test(mime)

/** A text file costs as much as text; three of its bytes are four characters of its base64 data. */
function tokensOfFile(mime: string | null, { length }: string): number {
  return Math.ceil(isText(mime) ? (length * 3) / 4 / bytesPerTokenAtLeast : length / bytesPerTokenUsually)
}

/** Of a model of which nothing is known. */
const mostOutputOfAnyModel = 128_000

/** Tokens the answers may have in all. An embedding is no answer of tokens. */
export function boundOutput(call: CanonicalCall, limitOfModel: number | null): number {
  if (call.embed !== null) return 0
  return (call.maxTokens ?? limitOfModel ?? mostOutputOfAnyModel) * Math.max(1, call.choices)
}
