/**
 * The fields of the canonical call: which of them a call uses, where, and the call without them. One table: a provider
 * states per field how it supports it, and an unsupported field is refused or omitted with a log entry, never lost
 * silently. Tested in fields.test.ts.
 */

import type { CanonicalCall, FilePart, ImagePart, Part, ReasoningPart, Turn, VendorExtra, VendorForm } from './call.ts'
import { emptyCall } from './call.ts'
import { type Field, parts } from './field.ts'
import { vendorFields } from './vendor-fields.ts'

export type FieldSupport = 'native' | 'translated' | 'emulated' | 'unsupported'

type Setting = Exclude<keyof CanonicalCall, 'form' | 'turns' | 'tools' | 'extra' | 'embed'>

/** A member with a single value at a single place that can be reset to its default. */
function setting(name: Setting, at: string, isUsed: (call: CanonicalCall) => boolean = (call) => call[name] !== null) {
  return {
    uses: (call: CanonicalCall) => (isUsed(call) ? [at] : []),
    without: (call: CanonicalCall) => ({ ...call, [name]: emptyCall[name] }),
  }
}

function droppableParts(isUse: (part: Part, forms: readonly VendorForm[]) => boolean): Field {
  return {
    ...parts(isUse),
    without: (call, forms) => ({
      ...call,
      turns: call.turns.map((turn) => ({ ...turn, parts: turn.parts.filter((part) => !isUse(part, forms)) })),
    }),
  }
}

/** A member of parts that can be reset to its default; the part stays. */
function ofParts<P extends Part>(isUse: (part: Part) => part is P, unset: (part: P) => P): Field {
  return {
    ...parts(isUse),
    without: (call) => ({
      ...call,
      turns: call.turns.map((turn) => ({
        ...turn,
        parts: turn.parts.map((part) => (isUse(part) ? unset(part) : part)),
      })),
    }),
  }
}

/** `auto` is the default of models. */
const isDetailed = (part: Part): part is ImagePart =>
  part.type === 'image' && part.detail !== null && part.detail !== 'auto'
/** A file without a source consists of its text. */
const isNamed = (part: Part): part is FilePart => part.type === 'file' && part.source !== null && part.name !== null
const hasFailed = ({ toolError }: Turn): boolean => toolError === true

const always: Field = { uses: () => [] }
const isFrom = (part: Part, kind: string): boolean => 'source' in part && part.source?.kind === kind

const fields = {
  '/messages': always,
  '/messages/name': {
    uses: ({ turns }) =>
      turns.flatMap(({ name, at }, index) => (name === null ? [] : [`${at ?? `/messages/${index}`}/name`])),
    without: (call) => ({ ...call, turns: call.turns.map((turn) => ({ ...turn, name: null })) }),
  },
  '/messages/tool_error': {
    uses: ({ turns }) =>
      turns.flatMap((turn, index) => (hasFailed(turn) ? [`${turn.at ?? `/messages/${index}`}/is_error`] : [])),
    without: (call) => ({
      ...call,
      turns: call.turns.map((turn) => (hasFailed(turn) ? { ...turn, toolError: false } : turn)),
    }),
  },
  '/messages/content/image_url': parts(({ type }) => type === 'image'),
  '/messages/content/image_url/detail': ofParts(isDetailed, (part) => ({ ...part, detail: null })),
  '/messages/content/audio': parts((part) => part.type === 'audio' && isFrom(part, 'data')),
  '/messages/content/audio_url': parts((part) => part.type === 'audio' && isFrom(part, 'url')),
  '/messages/content/file': parts((part) => part.type === 'file' && isFrom(part, 'data')),
  '/messages/content/file_url': parts((part) => part.type === 'file' && isFrom(part, 'url')),
  '/messages/content/file/filename': ofParts(isNamed, (part) => ({ ...part, name: null })),
  '/messages/content/reasoning': droppableParts(({ type }) => type === 'reasoning'),
  '/temperature': setting('temperature', '/temperature'),
  '/top_p': setting('topP', '/top_p'),
  '/top_k': setting('topK', '/top_k'),
  '/frequency_penalty': setting('frequencyPenalty', '/frequency_penalty', (call) => (call.frequencyPenalty ?? 0) !== 0),
  '/presence_penalty': setting('presencePenalty', '/presence_penalty', (call) => (call.presencePenalty ?? 0) !== 0),
  '/max_tokens': setting('maxTokens', '/max_tokens'),
  '/n': setting('choices', '/n', ({ choices }) => choices > 1),
  '/seed': setting('seed', '/seed'),
  '/stop': setting('stop', '/stop', ({ stop }) => stop.length > 0),
  '/logprobs': setting('logprobs', '/logprobs', ({ logprobs }) => logprobs === true),
  '/top_logprobs': setting('topLogprobs', '/top_logprobs', ({ topLogprobs }) => (topLogprobs ?? 0) > 0),
  '/tools': { uses: ({ tools }) => (tools.some(({ kind }) => kind === 'function') ? ['/tools'] : []) },
  '/tools/strict': {
    uses: ({ tools }) =>
      tools.flatMap((tool, index) =>
        tool.kind === 'function' && tool.strict === true ? [`${tool.at ?? `/tools/${index}/function`}/strict`] : [],
      ),
    without: (call) => ({
      ...call,
      tools: call.tools.map((tool) => (tool.kind === 'function' ? { ...tool, strict: null } : tool)),
    }),
  },
  // `auto` and `none` are the behavior of a model without tools.
  '/tool_choice': setting('toolChoice', '/tool_choice', ({ toolChoice }) => forcesTool(toolChoice)),
  '/parallel_tool_calls': setting(
    'parallelToolCalls',
    '/parallel_tool_calls',
    ({ parallelToolCalls }) => parallelToolCalls === false,
  ),
  '/response_format': setting('format', '/response_format'),
  '/reasoning/effort': setting(
    'reasoning',
    '/reasoning',
    ({ reasoning }) => reasoning !== null && 'effort' in reasoning,
  ),
  '/reasoning/budget_tokens': setting(
    'reasoning',
    '/reasoning',
    ({ reasoning }) => reasoning !== null && 'budgetTokens' in reasoning,
  ),
  '/user': setting('user', '/user'),
  '/store': setting('store', '/store'),
  // For checking, counting and routing the call here. Not sent to any provider.
  '/metadata': setting('metadata', '/metadata', ({ metadata }) => Object.keys(metadata).length > 0),
  '/service_tier': setting('serviceTier', '/service_tier'),
  '/cache_control': {
    uses: ({ turns, tools }) =>
      turns.some(({ parts: all }) => all.some(isMarked)) || tools.some(isMarked) ? ['/cache_control'] : [],
    without: (call) => ({
      ...call,
      turns: call.turns.map((turn) => ({ ...turn, parts: turn.parts.map(unmarked) })),
      tools: call.tools.map(unmarked),
    }),
  },
} as const satisfies Record<string, Field>

/** Pointers that name a field of the canonical call in the tables of providers. */
export type CallField = keyof typeof fields
export const callFields = Object.keys(fields) as readonly CallField[]
export type FieldTable = Readonly<Record<CallField, FieldSupport>>

/** Fields that a provider accepts: its table, and the forms whose own members it understands. */
export interface Takes {
  readonly fields: FieldTable
  readonly forms: readonly VendorForm[]
  /**
   * Whether an earlier reasoning part can be sent back; all can if this is absent. Parts that cannot are omitted and
   * logged.
   */
  readonly takesThought?: (part: ReasoningPart) => boolean
  /** Members of answers in its own form that it refuses when they are sent back; they are omitted and logged. */
  readonly refusesBack?: (name: string) => boolean
}

export interface Fitted {
  /** The call without the fields that can be omitted. */
  readonly call: CanonicalCall
  /** Pointers of the omitted fields. */
  readonly dropped: readonly string[]
  /** Pointers of fields that are neither supported nor can be omitted. */
  readonly refused: readonly string[]
}

/** The call as the provider accepts it. If `drop` is false, every unsupported field is refused. */
export function fitCall(call: CanonicalCall, takes: Takes, drop: boolean): Fitted {
  const { fields: table, forms } = takes
  const dropped: string[] = []
  const refused: string[] = []
  let fitted = call
  for (const field of mayBeLost(table)) {
    const at = field.uses(call, forms)
    if (at.length === 0) continue
    if (drop && field.without !== undefined) {
      fitted = field.without(fitted, forms)
      dropped.push(...at)
    } else refused.push(...at)
  }
  const lost = lostMembers(call, takes)
  if (lost.length > 0) fitted = { ...fitted, extra: fitted.extra.filter((member) => !lost.includes(member.at)) }
  return { call: fitted, dropped: [...dropped, ...lost, ...lostThoughts(fitted, takes)], refused }
}

/** Places of optional members that cannot be sent. */
function lostMembers({ extra }: CanonicalCall, { forms, refusesBack }: Takes): readonly string[] {
  const isLost = ({ form, at, optional }: VendorExtra): boolean =>
    optional === true && (!forms.includes(form) || refusesBack?.(at.slice(at.lastIndexOf('/') + 1)) === true)
  return extra.filter(isLost).map(({ at }) => at)
}

const lostByTable = new WeakMap<FieldTable, readonly Field[]>()

/** Fields that a provider with this table may not accept; tables are constants of adapters. */
function mayBeLost(table: FieldTable): readonly Field[] {
  const known = lostByTable.get(table)
  if (known !== undefined) return known
  const unsupported = callFields.filter((name) => table[name] === 'unsupported').map((name) => fields[name])
  const all = [...unsupported, ...vendorFields]
  lostByTable.set(table, all)
  return all
}

/**
 * Reasoning sealed by another vendor cannot be sent, and may always be omitted, so that a conversation can move from
 * one provider to another. The adapter omits it; here the omission is logged.
 */
function lostThoughts({ turns }: CanonicalCall, { takesThought }: Takes): readonly string[] {
  if (takesThought === undefined) return []
  return parts((part) => part.type === 'reasoning' && !takesThought(part))
    .uses({ ...emptyCall, turns }, [])
    .map((place) => `${place}/reasoning`)
}

function forcesTool(choice: CanonicalCall['toolChoice']): boolean {
  return choice !== null && choice !== 'auto' && choice !== 'none'
}

function isMarked(one: object): boolean {
  return 'cacheControl' in one
}

function unmarked<T extends object>(one: T): T {
  if (!('cacheControl' in one)) return one
  const { cacheControl: _, ...rest } = one
  return rest as T
}
