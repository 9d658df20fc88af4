/**
 * Turns text into the numbers that a model was trained on, from a Hugging Face `tokenizer.json`.
 * Promises that a special token written into a text stays plain text, that long texts do not hold up the
 * event loop, and that nothing is downloaded. Tested in tokenizer.test.ts.
 */
import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { ClassifierError } from './classifier.ts'
import { isObject, loadPackage } from './optional-package.ts'
import { paddingOf, withoutSpecialTokens } from './tokenizer-file.ts'

export interface Tokenizer {
  /** Tokens that stand before and after every window. */
  readonly prefix: readonly number[]
  readonly suffix: readonly number[]
  /** Fills short rows. */
  readonly padding: number
  /** Tokens of the text alone. @throws the signal's reason when it aborts. */
  encode(text: string, signal: AbortSignal): Promise<number[]>
}

interface Encoder {
  encode(text: string, options: { readonly add_special_tokens: boolean }): { readonly ids: readonly number[] }
}

interface TokenizersPackage {
  readonly Tokenizer: new (file: object, config: object) => Encoder
}

/** @throws ClassifierError (`not-usable`) for an absent or unknown file, and when the package is not installed. */
export async function openTokenizer(path: string): Promise<Tokenizer> {
  const file = await readTokenizerFile(path)
  const { Tokenizer: Encoder } = await loadPackage('@huggingface/tokenizers', isTokenizersPackage)
  try {
    const frame = frameOf(new Encoder(file, {}))
    const encoder = new Encoder(withoutSpecialTokens(file), {})
    return { ...frame, padding: paddingOf(file), encode: (text, signal) => encodeInParts(encoder, text, signal) }
  } catch (cause) {
    throw new ClassifierError('not-usable', `The tokenizer file ${path} is of a kind that is not known.`, { cause })
  }
}

function isTokenizersPackage(loaded: unknown): loaded is TokenizersPackage {
  return isObject(loaded) && 'Tokenizer' in loaded && typeof loaded.Tokenizer === 'function'
}

async function readTokenizerFile(path: string): Promise<object> {
  try {
    const file: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (isObject(file)) return file
    throw new TypeError('It holds no object.')
  } catch (cause) {
    throw new ClassifierError('not-usable', `The tokenizer file ${path} is absent or not JSON.`, { cause })
  }
}

/** The model's own template around a text, learned from a text of one letter. */
function frameOf(encoder: Encoder): { prefix: readonly number[]; suffix: readonly number[] } {
  const { ids: bare } = encoder.encode('a', { add_special_tokens: false })
  const { ids: framed } = encoder.encode('a', { add_special_tokens: true })
  const at = framed.findIndex((_, from) => bare.every((id, index) => framed[from + index] === id))
  if (bare.length === 0 || at < 0) throw new TypeError('Its template does not keep the text as it is.')
  return { prefix: framed.slice(0, at), suffix: framed.slice(at + bare.length) }
}

/**
 * Characters encoded at once. The package joins unknown letters that follow each other in quadratic time: parts of
 * 4,096 took five to ten times as long as these. In a text without spaces a cut may add one token.
 */
const partLength = 512

async function encodeInParts(encoder: Encoder, text: string, signal: AbortSignal): Promise<number[]> {
  const wellFormed = text.toWellFormed()
  const ids: number[] = []
  for (let at = 0; at < wellFormed.length; ) {
    const end = partEnd(wellFormed, at)
    for (const id of encoder.encode(wellFormed.slice(at, end), { add_special_tokens: false }).ids) ids.push(id)
    at = end
    if (end < wellFormed.length) await setImmediate(undefined, { signal })
  }
  return ids
}

/** Before the last space where there is one nearby, because words are encoded with the space before them. */
function partEnd(text: string, from: number): number {
  const end = from + partLength
  if (end >= text.length) return text.length
  for (let at = end; at > end - 256; at -= 1)
    if (isSpace(text.charCodeAt(at)) && !isSpace(text.charCodeAt(at - 1))) return at
  return (text.charCodeAt(end) & 0xfc00) === 0xdc00 ? end - 1 : end
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}
