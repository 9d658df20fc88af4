import { UpstreamFault } from '../../../fault.ts'
import type { Frame, OutputItem, Piece, ResponseBody } from './schema.ts'
import { kindOfPiece, type TextKind, textOfPiece } from './texts.ts'

/** The events of a stream that would say this response. @throws UpstreamFault for one that did not come to its end */
export function framesOf(response: ResponseBody): readonly Frame[] {
  const { status = 'completed', output = [] } = response
  if (status !== 'completed' && status !== 'incomplete' && status !== 'failed')
    throw new UpstreamFault('invalid', 'its response is not complete')
  return [{ type: 'response.created', response }, ...output.flatMap(ofItem), { type: `response.${status}`, response }]
}

function ofItem(item: OutputItem, output_index: number): readonly Frame[] {
  const at = { output_index, ...(item.id ? { item_id: item.id } : {}) }
  const { arguments: text } = item
  return [
    { type: 'response.output_item.added', output_index, item: begun(item) },
    ...(item.summary ?? []).flatMap((piece, index) => ofPiece(piece, { ...at, summary_index: index })),
    ...(item.content ?? []).flatMap((piece, index) => ofPiece(piece, { ...at, content_index: index })),
    ...(item.type === 'function_call' && text !== undefined
      ? [{ type: 'response.function_call_arguments.done', ...at, arguments: text }]
      : []),
    { type: 'response.output_item.done', output_index, item },
  ]
}

/** As an item is before its first piece. */
function begun(item: OutputItem): OutputItem {
  return { ...item, ...(item.content ? { content: [] } : {}), ...(item.summary ? { summary: [] } : {}) }
}

type At = Partial<Pick<Frame, 'output_index' | 'item_id' | 'summary_index' | 'content_index'>>

function ofPiece(part: Piece, at: At): readonly Frame[] {
  const kind = kindOfPiece(part)
  const name = 'summary_index' in at ? 'reasoning_summary_part' : 'content_part'
  return [
    { type: `response.${name}.added`, ...at, part },
    ...(kind === null ? [] : [doneFrame(kind, part, at)]),
    { type: `response.${name}.done`, ...at, part },
  ]
}

function doneFrame(kind: TextKind, part: Piece, at: At): Frame {
  const text = textOfPiece(part)
  const said = kind === 'refusal' ? { refusal: text } : { text, ...(part.logprobs ? { logprobs: part.logprobs } : {}) }
  return { type: `response.${kind}.done`, ...at, ...said }
}
