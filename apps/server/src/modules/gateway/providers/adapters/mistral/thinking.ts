/**
 * Models that think answer in pieces of content instead of one text. Promises OpenAI's shape for them, and the text as it
 * is for everything else. Pure. Tested in mistral.test.ts.
 */
import { parseJson } from '../openai/decode.ts'

/** Most answers have no such pieces, so they are not read twice. */
const hasPieces = /"content"\s*:\s*\[/

export function plainContent(text: string): string {
  return hasPieces.test(text) ? JSON.stringify(parseJson(text), plainMessage) : text
}

function plainMessage(_name: string, value: unknown): unknown {
  if (!isRecord(value) || !Array.isArray(value.content)) return value
  const { content, ...rest } = value
  const pieces = content.filter(isRecord)
  const said = pieces.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''))
  const thought = pieces.flatMap(({ type, thinking }) => (type === 'thinking' ? textsOf(thinking) : []))
  return { ...rest, content: said.join(''), reasoning_content: thought.join('') }
}

function textsOf(thinking: unknown): readonly string[] {
  if (typeof thinking === 'string') return [thinking]
  if (!Array.isArray(thinking)) return []
  return thinking.filter(isRecord).map(({ text }) => (typeof text === 'string' ? text : ''))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
