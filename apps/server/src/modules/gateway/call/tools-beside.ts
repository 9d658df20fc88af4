/**
 * Tools that a call offers outside its list of tools: by servers that provide them, by members that enable a vendor's
 * tool, and by definitions among its messages, for vendors that let a conversation add tools. Only the vendor
 * understands these members, but the code that decides which tools may be used must see them. Pure. Tested in
 * ../kept-parts.test.ts.
 */
import type { CanonicalCall } from './call.ts'

type Json = Readonly<Record<string, unknown>>

export interface ToolBeside {
  /** JSON Pointer into the body. */
  readonly at: string
  /** Name of the tool, otherwise its type; empty if it has neither. */
  readonly name: string
  readonly value: Json
}

const serversAt = '/mcp_servers'

/** Whether it is a server, whose number of tools is unknown. */
export const isServer = ({ at }: Pick<ToolBeside, 'at'>): boolean => at.startsWith(`${serversAt}/`)

export function toolsBeside({ extra }: Pick<CanonicalCall, 'extra'>): readonly ToolBeside[] {
  return extra.flatMap(({ at, value }) => {
    if (at === serversAt) return servers(value, at)
    if (at === '/plugins') return recordsIn(value).map((one) => ({ at, name: wordIn(one.id), value: one }))
    if (Object.hasOwn(switches, at)) return isOff(value) ? [] : [{ at, name: switches[at] ?? '', value: { value } }]
    return /^\/(?:messages|input)\//.test(at) ? defined(value, at, deepest) : []
  })
}

/** Members that enable a tool at the vendor, and its name in a list of tools. */
const switches: Readonly<Record<string, string>> = {
  '/web_search_options': 'web_search',
  '/search_parameters': 'web_search',
  '/enable_search': 'web_search',
}

const isOff = (value: unknown): boolean =>
  value === false || (typeof value === 'object' && value !== null && 'mode' in value && value.mode === 'off')

/** The reader limits the depth of bodies; a definition is close to its message. */
const deepest = 8
/** Items with tools that the model found or received, by OpenAI's names. */
const lists: ReadonlySet<unknown> = new Set(['tool_search_output', 'additional_tools'])

function defined(value: unknown, at: string, depth: number): readonly ToolBeside[] {
  if (typeof value !== 'object' || value === null || depth === 0) return []
  if (Array.isArray(value)) return value.flatMap((one) => defined(one, at, depth - 1))
  if (!isRecord(value)) return []
  if (value.type === 'tool_definition' && isRecord(value.definition)) return [toolOf(value.definition, at)]
  if (lists.has(value.type)) return listed(value.tools, at)
  return Object.values(value).flatMap((member) => defined(member, at, depth - 1))
}

function listed(value: unknown, at: string): readonly ToolBeside[] {
  return recordsIn(value).map((one) => toolOf(one, at))
}

function toolOf(value: Json, at: string): ToolBeside {
  return { at, name: wordIn(value.name) || wordIn(value.type), value }
}

/** The tools of a server are unknown here, so its name represents them. */
function servers(value: unknown, at: string): readonly ToolBeside[] {
  return recordsIn(value).map((one, index) => ({ at: `${at}/${index}`, name: wordIn(one.name), value: one }))
}

function recordsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map((one: unknown) => (isRecord(one) ? one : {})) : []
}

const wordIn = (value: unknown): string => (typeof value === 'string' ? value : '')

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
