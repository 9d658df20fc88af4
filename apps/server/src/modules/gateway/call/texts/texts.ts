/**
 * All text of a call that reaches the model, each piece with its place and author. The detectors and the redaction see
 * the same pieces and miss none: one walk serves both. Tested in texts.test.ts.
 */
import type { CanonicalCall, EmbeddingInput, OutputFormat, Part, Tool, ToolCall, ToolChoice, Turn } from '../call.ts'
import { isPlainName, mapRecord, mapValue, readJson, withoutEscapes, wordsIn } from '../json-texts.ts'
import { textsBeside } from '../sealed-thoughts.ts'
import { mapExtras } from '../vendor-extras.ts'
import { shownIds } from './ids.ts'
import { type Looks, mapAudio, mapFile, mapImage } from './media-texts.ts'

/** Author of a text, in the detectors' terms. */
export type Provenance = 'user' | 'system' | 'assistant' | 'tool_result' | 'tool_description'

export interface CallText {
  /** JSON Pointer into the request body. */
  readonly location: string
  readonly provenance: Provenance
  readonly text: string
  /**
   * The name of a tool or a format, the id of a stored file, a media type: its readers identify it by this exact text,
   * so nothing can replace it.
   */
  readonly isName?: true
  /** From a document, an image or a recording, and not typed by the author of the message. */
  readonly isAttached?: true
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

/** The call with every text replaced by the result of `visit`; the same call if nothing changed. */
export function mapTexts(call: CanonicalCall, visit: Visit): CanonicalCall {
  const byUser = (location: string, text: string): string => visit({ location, provenance: 'user', text })
  return {
    ...call,
    turns: mapTurns(call.turns, visit),
    tools: call.tools.map((tool, index) => mapTool(tool, `/tools/${index}`, visit)),
    toolChoice: mapToolChoice(call.toolChoice, visit),
    format: mapFormat(call.format, visit),
    stop: call.stop.map((text, index) => byUser(`/stop/${index}`, text)),
    user: call.user === null ? null : byUser('/user', call.user),
    serviceTier: mapTier(call.serviceTier, byUser),
    extra: mapExtras(call.extra, byUser),
    embed: call.embed === null ? null : mapEmbed(call.embed, byUser),
  }
}

/** Author of the text at a place of the call; null for places without an author, such as the call as a whole. */
export function provenanceAt(call: CanonicalCall, location: string): Provenance | null {
  const isWithin = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`)
  const texts = textsOf(call)
  const text =
    texts.find((one) => one.location === location) ??
    texts.find((one) => location !== '' && isWithin(one.location, location))
  if (text !== undefined) return text.provenance
  const turn = call.turns.find(({ at }, index) => isWithin(location, at ?? `/messages/${index}`))
  return turn === undefined ? null : provenanceOf[turn.role]
}

export const provenanceOf = { system: 'system', user: 'user', assistant: 'assistant', tool: 'tool_result' } as const

function mapTurns(turns: readonly Turn[], visit: Visit): readonly Turn[] {
  const ids = turns.flatMap(({ toolCalls, toolCallId }) => [...toolCalls.map(({ id }) => id), toolCallId ?? ''])
  const shown = shownIds(ids)
  // A call and its result use the same id, so both have one author: equal ids are hidden alike in both.
  const mapId: MapId = (id, location) => shown(id, (text) => visit({ location, provenance: 'assistant', text }))
  return turns.map((turn, index) => mapTurn(turn, turn.at ?? `/messages/${index}`, { visit, mapId }))
}

type MapId = (id: string, location: string) => string

interface Visitors {
  readonly visit: Visit
  readonly mapId: MapId
}

function mapTurn(turn: Turn, at: string, { visit, mapId }: Visitors): Turn {
  const provenance = provenanceOf[turn.role]
  const plain: Plain = (location, text) => visit({ location, provenance, text })
  const isAttached = true
  const attached: Looks = {
    plain: (location, text) => visit({ location, provenance, text, isAttached }),
    fixed: (location, text) => visit({ location, provenance, text, isName: true, isAttached }),
  }
  return {
    ...turn,
    name: turn.name === null ? null : plain(`${at}/name`, turn.name),
    parts: turn.parts.map((part, index) => mapPart(part, placeOfPart(turn, at, index), { plain, attached })),
    toolCalls: turn.toolCalls.map((call, index) => ({
      ...mapToolCall(call, `${at}/tool_calls/${index}/function`, visit),
      id: mapId(call.id, `${at}/tool_calls/${index}/id`),
    })),
    toolCallId: turn.toolCallId === null ? null : mapId(turn.toolCallId, `${at}/tool_call_id`),
  }
}

/** Place of a part in the request body, for a turn at `at`. */
export function placeOfPart({ parts }: Pick<Turn, 'parts'>, at: string, index: number): string {
  return `${at}/content${parts.length > 1 ? `/${index}` : ''}`
}

interface PartLooks {
  readonly plain: Plain
  readonly attached: Looks
}

type Plain = (location: string, text: string) => string

/** Service tiers of vendors. */
const tiers: ReadonlySet<string> = new Set([
  ...['auto', 'default', 'flex', 'priority', 'scale', 'standard', 'standard_only', 'on_demand', 'performance', 'batch'],
])

function mapTier(tier: string | null, plain: Plain): string | null {
  return tier === null || tiers.has(tier) ? tier : plain('/service_tier', tier)
}

function mapPart(part: Part, at: string, { plain, attached }: PartLooks): Part {
  switch (part.type) {
    case 'text':
      return { ...part, text: plain(at, part.text) }
    case 'image':
      return mapImage(part, at, attached)
    case 'audio':
      return mapAudio(part, at, attached)
    case 'file':
      return mapFile(part, at, attached)
    case 'reasoning': {
      const text = part.text === '' ? '' : plain(at, part.text)
      const beside = textsBeside(part)
      const said = beside.map((one) => plain(at, one))
      // A signature is valid only for its original text, and sealed data goes back whole or not at all.
      const isSame = text === part.text && said.every((one, index) => one === beside[index])
      return isSame ? part : { ...part, text, data: null }
    }
    default:
      return part satisfies never
  }
}

function mapEmbed(embed: EmbeddingInput, plain: Plain): EmbeddingInput {
  const single = embed.inputs.length === 1
  return {
    ...embed,
    inputs: embed.inputs.map((input, index) =>
      typeof input === 'string' ? plain(single ? '/input' : `/input/${index}`, input) : input,
    ),
  }
}

/** Arguments are read as JSON, so that replacing a value leaves them valid; otherwise they are plain text. */
function mapToolCall(call: ToolCall, at: string, visit: Visit): ToolCall {
  const text = (value: string): string => visit({ location: `${at}/arguments`, provenance: 'assistant', text: value })
  const name = mapName(call.name, { location: `${at}/name`, provenance: 'assistant' }, visit)
  return { ...call, name, arguments: mapArguments(call, text) }
}

function mapArguments(call: ToolCall, text: (value: string) => string): string {
  const read = call.custom === true ? null : readJson(call.arguments)
  if (read === null) {
    const shown = withoutEscapes(call.arguments)
    const said = text(shown)
    return said === shown ? call.arguments : said
  }
  // Only replaced values are serialized anew: the bytes of everything else are the caller's.
  let changed = !read.isAll
  const mapped = mapValue(read.value, (value) => {
    const replaced = text(value)
    changed ||= replaced !== value
    return replaced
  })
  return changed ? JSON.stringify(mapped) : call.arguments
}

function mapTool(tool: Tool, place: string, visit: Visit): Tool {
  if (tool.kind === 'opaque') return { ...tool, value: mapRecord(tool.value, toolText(place, visit)) }
  const at = tool.at ?? `${place}/function`
  const text = toolText(`${at}/parameters`, visit)
  return {
    ...tool,
    name: mapName(tool.name, { location: `${at}/name`, provenance: 'tool_description' }, visit),
    description:
      tool.description === null
        ? null
        : visit({ location: `${at}/description`, provenance: 'tool_description', text: tool.description }),
    parameters: tool.parameters === null ? null : mapRecord(tool.parameters, text),
  }
}

function mapToolChoice(choice: ToolChoice, visit: Visit): ToolChoice {
  if (typeof choice !== 'object' || choice === null) return choice
  return {
    name: mapName(choice.name, { location: '/tool_choice/function/name', provenance: 'tool_description' }, visit),
  }
}

function mapFormat(format: OutputFormat, visit: Visit): OutputFormat {
  if (format?.type !== 'json_schema') return format
  const at = '/response_format/json_schema'
  return {
    ...format,
    name: mapName(format.name, { location: `${at}/name`, provenance: 'tool_description' }, visit),
    schema: mapRecord(format.schema, toolText(`${at}/schema`, visit)),
  }
}

/** Most names are too short to carry a message; the others are texts that the model reads like any other. */
function mapName(text: string, place: Omit<CallText, 'text' | 'isName'>, visit: Visit): string {
  if (isPlainName(text)) return text
  const shown = visit({ ...place, text, isName: true })
  // Words in a camelCase name have no separator that a text detector could recognize.
  if (!/[a-z][A-Z]/.test(shown)) return shown
  const words = wordsIn(shown).join(' ')
  const said = visit({ ...place, text: words, isName: true })
  return said === words ? shown : said.replaceAll(' ', '_')
}

function toolText(location: string, visit: Visit): (text: string) => string {
  return (text) => visit({ location, provenance: 'tool_description', text })
}
