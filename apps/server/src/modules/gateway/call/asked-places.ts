/**
 * Regions in which a call asks its provider to run, and content it asks to be stored or passed on. Only the vendor
 * understands these members, but the code that decides where data may go must see them. Pure. Tested in
 * asked-places.test.ts and in ../asked-places.test.ts.
 */
import type { CanonicalCall } from './call.ts'
import { isServer, toolsBeside } from './tools-beside.ts'

type Members = Pick<CanonicalCall, 'extra' | 'tools'>

export interface AskedPlace {
  /** JSON Pointer into the body. */
  readonly at: string
  /** In the form in which a provider states its regions; empty if unknown. */
  readonly regions: readonly string[]
}

/** Anthropic's member for the region in which a model runs. */
export const geoName = 'inference_geo'

/** Places chosen by the call: the vendor's own regions, and third parties to which the vendor would send data. */
export function askedPlaces(call: Members): readonly AskedPlace[] {
  const chosen = call.extra.flatMap(({ at, value }) =>
    geosIn({ [at.slice(at.lastIndexOf('/') + 1)]: value }, deepest).map((geo) => ({ at, regions: regionsOf(geo) })),
  )
  return [...chosen, ...others(call).map((at) => ({ at, regions: [] }))]
}

/** Places where more is stored than the provider stores by default, or where a third party stores something. */
export function askedKeeping(call: Members): readonly string[] {
  const kept = call.extra.flatMap(({ at, value }) => (keeps(at, value) ? [at] : []))
  return [...kept, ...others(call)]
}

/** The reader limits the depth of bodies; a region member is close to the object it applies to. */
const deepest = 8

function geosIn(value: unknown, depth: number): readonly unknown[] {
  if (typeof value !== 'object' || value === null || depth === 0) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name !== geoName ? geosIn(member, depth - 1) : member === null ? [] : [member],
  )
}

/** `global` and unknown values are not a specific region. */
function regionsOf(geo: unknown): readonly string[] {
  return typeof geo === 'string' && /^(?:[a-z]{2}|eea)$/i.test(geo) ? [geo.toUpperCase()] : []
}

/** Azure's sources to answer from, and OpenRouter's choice among providers. */
const partners: ReadonlySet<string> = new Set(['/data_sources', '/provider'])

/**
 * Servers and sources that the caller names. The behavior of the vendor's other tools is governed by the policy's
 * allowed tools.
 */
function others({ extra, tools }: Members): readonly string[] {
  return [
    ...extra.flatMap(({ at }) => (partners.has(at) ? [at] : [])),
    ...tools.flatMap((tool, index) => (tool.kind === 'opaque' && isRemote(tool.value) ? [`/tools/${index}`] : [])),
    ...toolsBeside({ extra }).flatMap((tool) => (isServer(tool) || isRemote(tool.value) ? [tool.at] : [])),
  ]
}

/** OpenAI's connectors are servers too. */
function isRemote(tool: Readonly<Record<string, unknown>>): boolean {
  return tool.type === 'mcp' || 'server_url' in tool || 'connector_id' in tool
}

function keeps(at: string, value: unknown): boolean {
  return at === '/prompt_cache_retention' ? value !== 'in_memory' && value !== 'in-memory' : at === '/container'
}

/** AWS prefixes a model id with a group of its regions if the model may run in any of them. */
const profiles: Readonly<Record<string, readonly string[]>> = { eu: ['EU'], us: ['US'], jp: ['JP'], au: ['AU'] }
const profilePattern = /(?:^|inference-profile\/)([a-z]{2,6}(?:-gov)?)\.[a-z0-9]+\./

/** Regions stated by the name of an AWS model; null if it states none. */
export function placeOfProfile(model: string): readonly string[] | null {
  const [, group] = profilePattern.exec(model) ?? []
  if (group === undefined) return null
  return Object.hasOwn(profiles, group) ? (profiles[group] ?? []) : []
}
