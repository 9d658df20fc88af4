import type { Origin } from './tape.ts'

export type ViewKind = 'plain' | 'leet' | 'hidden' | 'visible' | 'decoded' | 'joined'

/** One reading of a text. */
export interface View {
  readonly kind: ViewKind
  /** Normalized. */
  readonly text: string
  /** How it was reached, outermost first: `['base64', 'reversed']`, `['html-comment']`. Empty for the plain view. */
  readonly via: readonly string[]
  /** Range of the scanned text for a range of the view (UTF-16). */
  toOriginal(start: number, end: number): Origin
}

/** Maps a range of some derived text to a range of the text it came from. */
export type Mapping = (start: number, end: number) => Origin

/** Part of a source that was rewritten: its new text and its origin. */
export interface Piece {
  readonly text: string
  readonly start: number
  readonly end: number
  /** The piece is the source's own text: positions inside it map one to one. */
  readonly literal: boolean
}

/** A text put together from pieces of a source, with the way back. */
export interface Patchwork {
  readonly text: string
  readonly map: Mapping
}

/** Joins pieces in order. A range inside a rewritten piece maps to all of that piece's source. */
export function patch(pieces: readonly Piece[]): Patchwork {
  const offsets: number[] = []
  let length = 0
  for (const piece of pieces) {
    offsets.push(length)
    length += piece.text.length
  }
  const originOf = (position: number, isEnd: boolean): number => {
    const index = pieceAt(offsets, isEnd ? position - 1 : position)
    const piece = pieces[index]
    if (!piece) return 0
    if (!piece.literal) return isEnd ? piece.end : piece.start
    return Math.min(piece.start + position - (offsets[index] ?? 0), piece.end)
  }
  return {
    text: pieces.map((piece) => piece.text).join(''),
    map: (start, end) => {
      const from = originOf(start, false)
      return { start: from, end: end > start ? Math.max(from, originOf(end, true)) : from }
    },
  }
}

function pieceAt(offsets: readonly number[], position: number): number {
  let low = 0
  let high = offsets.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((offsets[middle] ?? 0) <= position) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

/** First one mapping, then the other: from the derived text back through both. */
export const through =
  (inner: Mapping, outer: Mapping): Mapping =>
  (start, end) => {
    const range = inner(start, end)
    return outer(range.start, range.end)
  }
