/**
 * A call in the names and places its vendor accepts: ids of calls, names of tools, and media in the results of tools.
 * Promises that equal names stay equal and different ones different, and that an answer has the caller's names again.
 * Pure. Tested in accepted-call.test.ts.
 */
import { sha256 } from '../../../kernel/crypto/digest.ts'
import type { AnswerEvent, CanonicalCall, Part, Turn } from '../call/call.ts'

export interface NameRule {
  /** One sign that may stand in a name. */
  readonly sign: RegExp
  /** Characters; null where there is no limit. */
  readonly longest: number | null
}

/** Limits of a vendor; an absent member means no limit. */
export interface Accepts {
  readonly callIds?: NameRule
  readonly toolNames?: NameRule
  /** Characters of the name of an end user. */
  readonly longestUser?: number
  /** False where a tool's result is text only, so that its other content goes into a user message after it. */
  readonly mediaInResults?: false
  /** False where an answer in JSON takes a schema, so that JSON of any form is asked for in words. */
  readonly jsonObject?: false
}

/** Letters, digits, lines and dashes: the names that every vendor accepts. */
export const plainSigns = /[A-Za-z0-9_-]/

export interface AcceptedCall {
  readonly call: CanonicalCall
  /** The event with the caller's own names of tools. */
  readonly restored: (event: AnswerEvent) => AnswerEvent
}

const unchanged = (event: AnswerEvent): AnswerEvent => event

export function acceptedCall(asked: CanonicalCall, accepts: Accepts | undefined): AcceptedCall {
  if (accepts === undefined || asked.embed !== null) return { call: asked, restored: unchanged }
  const placed = addsTurns(asked, accepts) ? { ...asked, turns: asked.turns.map(withPlace) } : asked
  const names = shortNames(placed, accepts.toolNames)
  const idOf = (id: string): string => accepted(id, accepts.callIds, () => `call_${sha256(id).slice(0, 24)}`)
  const nameOf = (name: string): string => names.get(name) ?? name
  const turns = placed.turns.map((turn) => renamed(turn, { idOf, nameOf }))
  const call = withWordsForJson(
    {
      ...placed,
      turns: accepts.mediaInResults === false ? withMediaBehind(turns) : turns,
      tools: placed.tools.map((tool) => (tool.kind === 'function' ? { ...tool, name: nameOf(tool.name) } : tool)),
      toolChoice: renamedChoice(placed.toolChoice, nameOf),
      user: shortUser(placed.user, accepts.longestUser),
    },
    accepts,
  )
  return { call, restored: names.size === 0 ? unchanged : restorer(names) }
}

function addsTurns({ turns, format }: CanonicalCall, { mediaInResults, jsonObject }: Accepts): boolean {
  const addsWords = jsonObject === false && format?.type === 'json_object'
  return (
    addsWords || (mediaInResults === false && turns.some(({ role, parts }) => role === 'tool' && !parts.every(isText)))
  )
}

/** Turns that are added move the others, so each says where it stood. */
function withPlace(turn: Turn, index: number): Turn {
  return turn.at === undefined ? { ...turn, at: `/messages/${index}` } : turn
}

function accepted(name: string, rule: NameRule | undefined, make: () => string): string {
  if (rule === undefined) return name
  const { sign, longest } = rule
  const fits = name.length <= (longest ?? name.length) && [...name].every((one) => sign.test(one))
  return fits && name !== '' ? name : make()
}

/** Names that must be replaced, keyed by the caller's name. */
function shortNames({ tools, turns, toolChoice }: CanonicalCall, rule: NameRule | undefined): Map<string, string> {
  const names = new Map<string, string>()
  if (rule === undefined) return names
  const known = new Set([
    ...tools.map(({ name }) => name),
    ...turns.flatMap(({ toolCalls }) => toolCalls.map(({ name }) => name)),
    ...(typeof toolChoice === 'object' && toolChoice !== null ? [toolChoice.name] : []),
  ])
  const taken = new Set(known)
  for (const name of known) {
    const short = accepted(name, rule, () => freeName(name, rule, taken))
    if (short === name) continue
    taken.add(short)
    names.set(name, short)
  }
  return names
}

const digestLength = 8

/** The beginning of the name, so that the model still reads what the tool is for, and a digest of the whole of it. */
function freeName(name: string, { sign, longest }: NameRule, taken: ReadonlySet<string>): string {
  const signs = [...name].map((one) => (sign.test(one) ? one : '_')).join('')
  const room = (longest ?? signs.length + digestLength + 1) - digestLength - 1
  for (let count = 0; ; count += 1) {
    const free = `${signs.slice(0, room)}_${sha256(count === 0 ? name : `${name}#${count}`).slice(0, digestLength)}`
    if (!taken.has(free)) return free
  }
}

function restorer(names: ReadonlyMap<string, string>): AcceptedCall['restored'] {
  const own = new Map([...names].map(([name, short]) => [short, name]))
  const named = <T extends object>(record: T): T => {
    const name: unknown = Reflect.get(record, 'name')
    return typeof name === 'string' && own.has(name) ? { ...record, name: own.get(name) } : record
  }
  return (event) => {
    if (event.type === 'tool_call') return named(event)
    const value: unknown = event.type === 'raw' ? event.item.value : null
    if (event.type !== 'raw' || typeof value !== 'object' || value === null) return event
    // The vendor's own events say the name as well, those of its newer interface in the item they are about.
    const item: unknown = Reflect.get(value, 'item')
    const inner = typeof item === 'object' && item !== null ? { item: named(item) } : {}
    return { ...event, item: { ...event.item, value: { ...named(value), ...inner } } }
  }
}

/** The vendor only needs to tell end users apart, and the digest does that as well. */
function shortUser(user: string | null, longest: number | undefined): string | null {
  return user === null || longest === undefined || user.length <= longest ? user : sha256(user).slice(0, longest)
}

interface Renaming {
  readonly idOf: (id: string) => string
  readonly nameOf: (name: string) => string
}

function renamed(turn: Turn, { idOf, nameOf }: Renaming): Turn {
  if (turn.toolCalls.length === 0 && turn.toolCallId === null) return turn
  return {
    ...turn,
    toolCalls: turn.toolCalls.map((call) => ({ ...call, id: idOf(call.id), name: nameOf(call.name) })),
    toolCallId: turn.toolCallId === null ? null : idOf(turn.toolCallId),
  }
}

function renamedChoice(choice: CanonicalCall['toolChoice'], nameOf: Renaming['nameOf']): CanonicalCall['toolChoice'] {
  return typeof choice === 'object' && choice !== null ? { name: nameOf(choice.name) } : choice
}

const isText = (part: Part): boolean => part.type === 'text' || (part.type === 'file' && part.source === null)

/** Results of calls that were made at once stay together; their content other than text follows the last of them. */
function withMediaBehind(turns: readonly Turn[]): readonly Turn[] {
  const all: Turn[] = []
  let behind: Part[] = []
  const flush = (): void => {
    if (behind.length > 0) all.push(userTurn(behind))
    behind = []
  }
  for (const turn of turns) {
    if (turn.role !== 'tool') flush()
    const media = turn.role === 'tool' ? turn.parts.filter((part) => !isText(part)) : []
    all.push(media.length === 0 ? turn : { ...turn, parts: textsOf(turn) })
    if (media.length > 0) behind.push({ type: 'text', text: `Result of the tool call ${turn.toolCallId}:` }, ...media)
  }
  flush()
  return all
}

function textsOf({ parts }: Turn): readonly Part[] {
  const texts = parts.filter(isText)
  return texts.length > 0 ? texts : [{ type: 'text', text: 'The result is in the next message.' }]
}

/** A turn without a counterpart in the caller's body. */
function userTurn(parts: readonly Part[]): Turn {
  return { role: 'user', parts, toolCalls: [], toolCallId: null, name: null, at: '' }
}

const jsonWords = 'Answer with one valid JSON object and nothing else: no text around it and no code fence.'

function withWordsForJson(call: CanonicalCall, { jsonObject }: Accepts): CanonicalCall {
  if (jsonObject !== false || call.format?.type !== 'json_object') return call
  const first = call.turns.findIndex(({ role }) => role !== 'system')
  const at = first < 0 ? call.turns.length : first
  const told: Turn = { ...userTurn([{ type: 'text', text: jsonWords }]), role: 'system' }
  return { ...call, format: null, turns: call.turns.toSpliced(at, 0, told) }
}
