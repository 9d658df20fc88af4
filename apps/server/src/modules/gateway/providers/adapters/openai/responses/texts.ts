/**
 * Where the texts of a Responses answer stand. They travel as common events, so that they are inspected like all others;
 * the vendor's own events travel beside them without the texts they repeat, which are put back when they are written. Pure.
 */
import type { Channel } from '../../../../call/call.ts'
import type { Frame, OutputItem, Piece } from './schema.ts'

/** Kinds of text as the vendor's events name them, with the channel each belongs to. */
export const textKinds = {
  output_text: 'text',
  refusal: 'refusal',
  reasoning_text: 'reasoning',
  reasoning_summary_text: 'reasoning',
} as const satisfies Record<string, Channel>
export type TextKind = keyof typeof textKinds

/** A text's name among those of its answer. */
export interface TextPlace {
  readonly kind: TextKind
  readonly item: number
  readonly piece: number
}

export function partName({ kind, item, piece }: TextPlace): string {
  return `${kind}/${item}/${piece}`
}

export function placeOfPart(part: string): TextPlace | null {
  const [, kind, item, piece] = /^(\w+)\/(\d+)\/(\d+)$/.exec(part) ?? []
  return kind !== undefined && isTextKind(kind) ? { kind, item: Number(item), piece: Number(piece) } : null
}

export function isTextKind(name: string): name is TextKind {
  return Object.hasOwn(textKinds, name)
}

/** The kind of text a piece of an item holds; null where it holds none that is understood. */
export function kindOfPiece({ type }: Piece): TextKind | null {
  if (type === 'summary_text') return 'reasoning_summary_text'
  return isTextKind(type) ? type : null
}

export function textOfPiece({ text, refusal }: Piece): string {
  return text ?? refusal ?? ''
}

/** Puts texts into the pieces of an item, or takes them away where there is none. */
export type TextAt = (place: TextPlace, piece: Piece) => Readonly<Record<string, unknown>>

export function mapItem(item: OutputItem, index: number, textAt: TextAt): OutputItem {
  const pieces = (list: readonly Piece[]): Piece[] =>
    list.map((piece, at) => {
      const kind = kindOfPiece(piece)
      return kind === null ? piece : { ...piece, ...textAt({ kind, item: index, piece: at }, piece) }
    })
  return {
    ...item,
    ...(item.content ? { content: pieces(item.content) } : {}),
    ...(item.summary ? { summary: pieces(item.summary) } : {}),
  }
}

/** A piece without the text that is said beside it. */
export const emptied: TextAt = ({ kind }) => emptyText(kind)

export function emptyText(kind: TextKind, text = ''): Readonly<Record<string, unknown>> {
  if (kind === 'refusal') return { refusal: text }
  return kind === 'output_text' ? { text, logprobs: [] } : { text }
}

/** The place of the text that an event is about; null for one about no text. */
export function placeOfFrame({ type, output_index: item = 0, ...at }: Frame): (TextPlace & { verb: string }) | null {
  const [, kind = '', verb = ''] = /^response\.(\w+)\.(delta|done)$/.exec(type) ?? []
  if (!isTextKind(kind)) return null
  return { kind, item, piece: at.content_index ?? at.summary_index ?? 0, verb }
}
