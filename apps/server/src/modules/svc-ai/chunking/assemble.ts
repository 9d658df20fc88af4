/**
 * The text of a document as everything else counts it: pieces joined, and characters that no reader sees taken out before
 * any offset is given. Pure. Tested in chunk.test.ts.
 */
import type { TextPiece } from '../../../kernel/unpack/port.ts'

export interface AssembledText {
  readonly text: string
  /** Where each page, slide or sheet begins, in order; empty where the format has none. */
  readonly pages: readonly { readonly start: number; readonly page: number }[]
  /** Invisible characters that were taken out. */
  readonly hidden: number
}

/** Zero-width and directional controls, soft hyphens and Unicode tags: instructions hide in them. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu

export function assemble(pieces: readonly TextPiece[]): AssembledText {
  const parts: string[] = []
  const pages: { start: number; page: number }[] = []
  let length = 0
  let hidden = 0
  let before: TextPiece['position'] | null = null
  for (const { position, text } of pieces) {
    const shown = text.replaceAll('\r\n', '\n').replaceAll('\0', '').replaceAll(invisible, '').toWellFormed()
    hidden += text.match(invisible)?.length ?? 0
    if (shown.trim() === '') continue
    const gap = length === 0 ? '' : gapBetween(before, position)
    parts.push(gap, shown)
    const page = position.page ?? position.slide
    if (page !== undefined && pages.at(-1)?.page !== page) pages.push({ start: length + gap.length, page })
    length += gap.length + shown.length
    before = position
  }
  return { text: parts.join(''), pages, hidden }
}

/** Cells of a sheet stand on lines of their own, so that a table is one paragraph. */
const gapBetween = (before: TextPiece['position'] | null, { cell, sheet }: TextPiece['position']): string =>
  cell !== undefined && before?.cell !== undefined && before.sheet === sheet ? '\n' : '\n\n'
