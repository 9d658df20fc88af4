import { createRequire } from 'node:module'
import type { ThreadTask } from '../../../kernel/threads/thread-task.ts'
import type { Encoding } from '../words/encodings.ts'
import { countMerged } from './merge.ts'

export interface TextsToCount {
  readonly encoding: Encoding
  readonly texts: readonly string[]
}

/** Tokens of all texts together. Words that mark something for a model are text here, as vendors take them from callers. */
export const countTokens: ThreadTask<TextsToCount, number> = {
  name: 'gateway.tokens.count',
  run: ({ encoding, texts }, { stopped }) => {
    const tokenizer = tokenizerOf(encoding)
    let count = 0
    for (const text of texts)
      for (const [piece] of text.matchAll(tokenizer.pieces)) {
        if (stopped()) throw new Error('Nobody waits for the count any more')
        count += countPiece(tokenizer, piece)
      }
    return count
  },
}

interface Tokenizer {
  /** By the bytes of the token, each as one character. */
  readonly ranks: ReadonlyMap<string, number>
  readonly pieces: RegExp
}

function countPiece({ ranks }: Tokenizer, piece: string): number {
  const bytes = Buffer.from(piece)
  if (ranks.has(bytes.toString('latin1'))) return 1
  return countMerged(bytes.length, (from, to) => ranks.get(bytes.toString('latin1', from, to)))
}

/** Megabytes of ranks, a fifth of a second to read: only a thread that counts has them, from its first count on. */
const tokenizers = new Map<Encoding, Tokenizer>()

function tokenizerOf(encoding: Encoding): Tokenizer {
  const known = tokenizers.get(encoding) ?? loadTokenizer(encoding)
  tokenizers.set(encoding, known)
  return known
}

const load = createRequire(import.meta.url)

function loadTokenizer(encoding: Encoding): Tokenizer {
  const { default: tokens } = load(`gpt-tokenizer/bpeRanks/${encoding}`) as Library['ranks']
  const { tokenSplitRegex: pieces } =
    encoding === 'o200k_base'
      ? (load('gpt-tokenizer/encodingParams/o200k_base') as Library['o200k_base']).O200KBase(tokens)
      : (load('gpt-tokenizer/encodingParams/cl100k_base') as Library['cl100k_base']).Cl100KBase(tokens)
  const ranks = new Map<string, number>()
  // The list has holes, which this passes over.
  tokens.forEach((token, rank) => {
    ranks.set((typeof token === 'string' ? Buffer.from(token) : Buffer.from(token)).toString('latin1'), rank)
  })
  return { ranks, pieces }
}

interface Library {
  readonly ranks: typeof import('gpt-tokenizer/bpeRanks/o200k_base')
  readonly o200k_base: typeof import('gpt-tokenizer/encodingParams/o200k_base')
  readonly cl100k_base: typeof import('gpt-tokenizer/encodingParams/cl100k_base')
}
