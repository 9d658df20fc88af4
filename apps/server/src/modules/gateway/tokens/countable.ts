/**
 * The texts of a call as a model reads them, for a tokenizer: unlike what the detectors look at, with the names and marks
 * of JSON, which are tokens too. Tested in exact-counts.test.ts.
 */
import type { CanonicalCall, Part, Tool, Turn } from '../call/call.ts'

export function countableTexts(call: CanonicalCall): readonly string[] {
  const { turns, tools, format, extra, embed } = call
  return [
    ...turns.flatMap(textsOfTurn),
    ...tools.flatMap(textsOfTool),
    ...(format?.type === 'json_schema' ? [format.name, JSON.stringify(format.schema)] : []),
    ...extra.map(({ value }) => JSON.stringify(value) ?? ''),
    ...(embed?.inputs ?? []).filter((input) => typeof input === 'string'),
  ]
}

function textsOfTurn({ name, parts, toolCalls }: Turn): readonly string[] {
  return [
    ...(name === null ? [] : [name]),
    ...parts.flatMap(textsOfPart),
    ...toolCalls.flatMap((call) => [call.name, call.arguments]),
  ]
}

/** What is no text is counted by the bound. */
function textsOfPart(part: Part): readonly string[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [part.text]
    case 'file':
      return [part.name ?? '', part.text ?? '']
    case 'image':
    case 'audio':
      return []
    default:
      return part satisfies never
  }
}

/** Vendors write tools in a form of their own, which is shorter than the JSON. */
function textsOfTool(tool: Tool): readonly string[] {
  if (tool.kind === 'opaque') return [JSON.stringify(tool.value)]
  return [tool.name, tool.description ?? '', JSON.stringify(tool.parameters ?? {})]
}
