/**
 * The texts of a message or of a piece of one, in any member or shape that servers use. Pure. Tested in openai.test.ts.
 */
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { AnswerEvent } from '../../../call/call.ts'
import { OpenAiTextPart, OpenAiThoughtPart } from './schema.ts'

interface Texts {
  readonly content?: string | readonly unknown[] | null
  readonly reasoning_content?: string | null
  readonly reasoning?: unknown
  readonly refusal?: string | null
}

interface Reading {
  readonly choice: number
  /** The caller speaks this form. */
  readonly keeps: boolean
}

export function pushText(events: AnswerEvent[], texts: Texts, { choice, keeps }: Reading): void {
  const { content, refusal } = texts
  const said = (channel: 'text' | 'reasoning' | 'refusal', text: string | null | undefined): void => {
    if (text) events.push({ type: 'text', choice, channel, text })
  }
  // Callers of this form get the other name as it is, with the other unknown members.
  const other = typeof texts.reasoning === 'string' && !keeps ? texts.reasoning : null
  said('reasoning', texts.reasoning_content ?? other)
  if (typeof content === 'string') said('text', content)
  else for (const { channel, text } of (content ?? []).flatMap(partOf)) said(channel, text)
  said('refusal', refusal)
}

interface Said {
  readonly channel: 'text' | 'reasoning'
  readonly text: string
}

/** Some servers answer in the parts in which callers ask. */
function partOf(part: unknown): readonly Said[] {
  if (typeof part === 'string') return [{ channel: 'text', text: part }]
  if (fits(OpenAiTextPart, part)) return [{ channel: 'text', text: part.text }]
  if (!fits(OpenAiThoughtPart, part)) return []
  const { thinking } = part
  const text = typeof thinking === 'string' ? thinking : thinking.map((piece) => piece.text).join('')
  return [{ channel: 'reasoning', text }]
}
