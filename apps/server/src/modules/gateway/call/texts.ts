/**
 * All text of a call that reaches the model, each piece with where it stands and whose word it is. Promises that the
 * detectors and the redaction see the same pieces and that no piece is missed: one walk serves both. Tested in
 * texts.test.ts.
 */
import type { CanonicalCall, Part, Tool, ToolCall, Turn } from './call.ts'

/** Who wrote a text, in the detectors' words. */
export type Provenance = 'user' | 'system' | 'assistant' | 'tool_result' | 'tool_description'

export interface CallText {
  /** JSON Pointer into the request body. */
  readonly location: string
  readonly provenance: Provenance
  readonly text: string
}

type Visit = (piece: CallText) => string

/** Every text of the call, in its order. */
export function textsOf(call: CanonicalCall): readonly CallText[] {
  const texts: CallText[] = []
  mapTexts(call, (piece) => {
    texts.push(piece)
    return piece.text
  })
  return texts
}

/** The call with every text replaced by what `visit` answers; the same call when nothing changed. */
export function mapTexts(call: CanonicalCall, visit: Visit): CanonicalCall {
  return {
    ...call,
    turns: call.turns.map((turn, index) => mapTurn(turn, `/messages/${index}`, visit)),
    tools: call.tools.map((tool, index) => mapTool(tool, `/tools/${index}/function`, visit)),
    format:
      call.format?.type === 'json_schema'
        ? {
            ...call.format,
            schema: mapRecord(call.format.schema, toolText('/response_format/json_schema/schema', visit)),
          }
        : call.format,
    stop: call.stop.map((text, index) => visit({ location: `/stop/${index}`, provenance: 'user', text })),
  }
}

const provenanceOf = { system: 'system', user: 'user', assistant: 'assistant', tool: 'tool_result' } as const

function mapTurn(turn: Turn, at: string, visit: Visit): Turn {
  const provenance = provenanceOf[turn.role]
  const plain = (location: string, text: string): string => visit({ location, provenance, text })
  return {
    ...turn,
    name: turn.name === null ? null : plain(`${at}/name`, turn.name),
    parts: turn.parts.map((part, index) =>
      mapPart(part, `${at}/content${turn.parts.length > 1 ? `/${index}` : ''}`, plain),
    ),
    toolCalls: turn.toolCalls.map((call, index) => mapToolCall(call, `${at}/tool_calls/${index}/function`, visit)),
  }
}

function mapPart(part: Part, at: string, plain: (location: string, text: string) => string): Part {
  if (part.type === 'text') return { ...part, text: plain(at, part.text) }
  // Embedded pixels are not text; an address is.
  return part.url.startsWith('data:') ? part : { ...part, url: plain(at, part.url) }
}

/** Arguments are read as JSON, so that what is put in the place of a value leaves them valid; else they are plain text. */
function mapToolCall(call: ToolCall, at: string, visit: Visit): ToolCall {
  const text = (value: string): string => visit({ location: `${at}/arguments`, provenance: 'assistant', text: value })
  const parsed = parseShallow(call.arguments)
  if (parsed === undefined) return { ...call, arguments: text(call.arguments) }
  let changed = false
  const mapped = mapValue(parsed, (value) => {
    const replaced = text(value)
    changed ||= replaced !== value
    return replaced
  })
  return changed ? { ...call, arguments: JSON.stringify(mapped) } : call
}

/** Deeper arguments are treated as text: the walk below must not run out of stack. */
const deepestArguments = 64

function parseShallow(text: string): unknown {
  let depth = 0
  let deepest = 0
  for (const character of text.matchAll(/[{}[\]]/g)) {
    depth += character[0] === '{' || character[0] === '[' ? 1 : -1
    deepest = Math.max(deepest, depth)
  }
  if (deepest > deepestArguments) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    // A model may have written broken JSON; it is inspected as text.
    return undefined
  }
}

function mapTool(tool: Tool, at: string, visit: Visit): Tool {
  const text = toolText(`${at}/parameters`, visit)
  return {
    ...tool,
    description:
      tool.description === null
        ? null
        : visit({ location: `${at}/description`, provenance: 'tool_description', text: tool.description }),
    parameters: tool.parameters === null ? null : mapRecord(tool.parameters, text),
  }
}

function toolText(location: string, visit: Visit): (text: string) => string {
  return (text) => visit({ location, provenance: 'tool_description', text })
}

function mapRecord(
  record: Readonly<Record<string, unknown>>,
  text: (value: string) => string,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, mapValue(value, text)]))
}

/** Depth is bounded by the readers. A number may be a card or a phone number, so it is shown to the detectors as text. */
function mapValue(value: unknown, text: (value: string) => string): unknown {
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number') return mapNumber(value, text)
  if (Array.isArray(value)) return value.map((item) => mapValue(item, text))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapValue(member, text)]))
}

/** Numbers shorter than this are never personal data. */
const shortestNumber = 8

function mapNumber(value: number, text: (value: string) => string): unknown {
  const written = String(value)
  if (written.length < shortestNumber) return value
  const replaced = text(written)
  return replaced === written ? value : replaced
}
