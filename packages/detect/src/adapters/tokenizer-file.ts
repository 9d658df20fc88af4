/** Reads and changes the parts of a `tokenizer.json` that decide about special tokens. */
import { isObject } from './optional-package.ts'

interface SpecialToken {
  readonly id: number
  readonly content: string
}

/** The number that fills short rows: the file's own setting, else its padding token, else 0. */
export function paddingOf(file: object): number {
  const setting: unknown = 'padding' in file && isObject(file.padding) ? Reflect.get(file.padding, 'pad_id') : undefined
  if (typeof setting === 'number') return setting
  return specialTokens(file).find(({ content }) => /^[[<]\|?pad(?:ding)?\|?[\]>]$/i.test(content))?.id ?? 0
}

/**
 * The same tokenizer for text that is not trusted: "[SEP]" in it must not become the separator, or its writer could
 * end the part that the model judges. The unknown token stays, since the tokenizer itself needs it.
 */
export function withoutSpecialTokens(file: object): object {
  const added: unknown = Reflect.get(file, 'added_tokens')
  const model: unknown = Reflect.get(file, 'model')
  const specials = specialTokens(file)
  return {
    ...file,
    post_processor: null,
    added_tokens: Array.isArray(added) ? added.filter((token) => !isSpecial(token)) : [],
    model: isObject(model) ? { ...model, ...vocabularyWithout(model, specials) } : model,
  }
}

function specialTokens(file: object): SpecialToken[] {
  const added: unknown = Reflect.get(file, 'added_tokens')
  return Array.isArray(added) ? added.filter(isSpecial) : []
}

function isSpecial(token: unknown): token is SpecialToken {
  return (
    isObject(token) &&
    Reflect.get(token, 'special') === true &&
    typeof Reflect.get(token, 'id') === 'number' &&
    typeof Reflect.get(token, 'content') === 'string'
  )
}

/** Numbers are kept by renaming: half a surrogate pair cannot stand in the well-formed text that is encoded. */
const unwritable = '\ud800'

function vocabularyWithout(model: object, specials: readonly SpecialToken[]): object {
  const unknown: unknown = Reflect.get(model, 'unk_token')
  const unknownAt: unknown = Reflect.get(model, 'unk_id')
  const hidden = new Set(specials.map(({ content }) => content).filter((content) => content !== unknown))
  const rename = (piece: string): string => (hidden.has(piece) ? unwritable + piece : piece)
  const vocabulary: unknown = Reflect.get(model, 'vocab')
  if (Array.isArray(vocabulary))
    return {
      vocab: vocabulary.map((entry: unknown, index) =>
        Array.isArray(entry) && index !== unknownAt ? [rename(String(entry[0])), entry[1]] : entry,
      ),
    }
  if (!isObject(vocabulary)) return {}
  return { vocab: Object.fromEntries(Object.entries(vocabulary).map(([piece, id]) => [rename(piece), id])) }
}
