/**
 * The texts of a call as a model reads them: unlike the texts for the detectors, with the names and punctuation of
 * JSON, which are tokens too. Tested in exact-counts.test.ts.
 */
import type { CanonicalCall, Part, Tool, Turn } from '../call/call.ts'
import { jsonWithoutPictures } from '../call/texts/pictures.ts'

export function countableTexts(call: CanonicalCall): readonly string[] {
  const { turns, tools, format, extra, embed } = call
  return [
    ...turns.flatMap(textsOfTurn),
    ...tools.flatMap(textsOfTool),
    ...(format?.type === 'json_schema' ? [format.name, JSON.stringify(format.schema)] : []),
    ...extra.map(({ value }) => jsonWithoutPictures(value).text),
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

/** Content other than text is counted by the bound. */
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
  if (tool.kind === 'opaque') return [jsonWithoutPictures(tool.value).text]
  return [tool.name, tool.description ?? '', JSON.stringify(tool.parameters ?? {})]
}
