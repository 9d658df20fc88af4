/** Reads the spans of an OTLP trace request in its JSON form. Pure. Tested in spans.test.ts. */
import { isRecord } from '../../../../kernel/base/is-record.ts'
import { callIdOf } from '../join/answer-id.ts'
import type { ActivityRecord, ReadBatch, Rejected } from '../record/record.ts'
import type { EventType, Outcome } from '../record/words.ts'
import { isContent, type Meaning, type Names, namesFor } from './conventions.ts'

type Value = string | number | boolean
type Attributes = ReadonlyMap<string, Value>

export interface SpanLimits {
  readonly mostSpans: number
}

/** @throws RangeError for a value that is no trace request, or has too many spans */
export function readSpans(request: unknown, { mostSpans }: SpanLimits): ReadBatch {
  const spans = spansIn(request)
  if (spans.length > mostSpans)
    throw new RangeError(`The request has ${spans.length} spans; at most ${mostSpans} are taken.`)
  const records: ActivityRecord[] = []
  const rejected: Rejected[] = []
  let ignored = 0
  for (const [index, { span, schemaUrl }] of spans.entries()) {
    const read = readSpan(span, namesFor(schemaUrl))
    if (read === null) ignored += 1
    else if ('reason' in read) rejected.push({ index, ...read })
    else records.push(read)
  }
  return { records: inConversations(records), rejected, ignored }
}

interface FoundSpan {
  readonly span: Readonly<Record<string, unknown>>
  readonly schemaUrl: string
}

function spansIn(request: unknown): readonly FoundSpan[] {
  const found: FoundSpan[] = []
  for (const resource of objects(member(request, 'resourceSpans'), 'resourceSpans'))
    for (const scope of objects(member(resource, 'scopeSpans') ?? [], 'scopeSpans')) {
      const schemaUrl = text(scope.schemaUrl) ?? text(resource.schemaUrl) ?? ''
      for (const span of objects(member(scope, 'spans') ?? [], 'spans')) found.push({ span, schemaUrl })
    }
  return found
}

const member = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined)
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function objects(value: unknown, name: string): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value) || !value.every(isRecord)) throw new RangeError(`${name} is no list of objects.`)
  return value
}

const hexId = /^[0-9a-f]{16}(?:[0-9a-f]{16})?$/i
const clientKinds: ReadonlySet<unknown> = new Set([3, 'SPAN_KIND_CLIENT'])
const errorCodes: ReadonlySet<unknown> = new Set([2, 'STATUS_CODE_ERROR'])

type Read = ActivityRecord | Omit<Rejected, 'index'>

function readSpan(span: Readonly<Record<string, unknown>>, names: Names): Read | null {
  const [traceId, spanId] = [text(span.traceId), text(span.spanId)]
  if (traceId === null || spanId === null || !hexId.test(traceId) || !hexId.test(spanId))
    return { event_id: null, reason: 'The span has no valid traceId and spanId.' }
  const event_id = `${traceId.toLowerCase()}:${spanId.toLowerCase()}`
  const [start, end] = [millisecondsOf(span.startTimeUnixNano), millisecondsOf(span.endTimeUnixNano)]
  if (start === null) return { event_id, reason: 'startTimeUnixNano is no time.' }
  const attributes = attributesOf(span.attributes)
  const of = (meaning: Meaning): Value | undefined => firstOf(attributes, names[meaning])
  const parent = text(span.parentSpanId)
  const type = typeOf({ of, isClient: clientKinds.has(span.kind), isRoot: parent === null })
  if (type === null) return null
  const failed = errorCodes.has(member(span.status, 'code'))
  const answerId = type === 'llm.call' ? bounded(of('answerId')) : null
  return {
    ...{ event_id, type, source: 'otel', time: new Date(start).toISOString() },
    ...{ trace_id: traceId.toLowerCase(), span_id: spanId.toLowerCase(), parent_id: parent?.toLowerCase() ?? null },
    conversation_id: bounded(of('conversation'), 128),
    model: type === 'llm.call' ? bounded(of('model')) : null,
    provider: bounded(of('provider')),
    tool: type === 'tool.call' ? (bounded(of('tool')) ?? bounded(span.name)) : null,
    server: bounded(of('mcpServer')),
    destination: type === 'egress' ? (bounded(of('host'))?.toLowerCase() ?? null) : null,
    ...{ tokens_in: countOf(of('tokensIn')), tokens_out: countOf(of('tokensOut')), cost: amountOf(of('cost')) },
    duration_ms: end === null || end < start ? null : end - start,
    bytes_out: countOf(of('bytesOut')),
    outcome: outcomeOf(type, failed, of('errorType')),
    error_type: bounded(of('errorType')),
    ...{ labels: [], attributes: kept(attributes) },
    ...{ call_id: answerId === null ? null : callIdOf(answerId), gateway_log_id: null },
  }
}

interface Told {
  readonly of: (meaning: Meaning) => Value | undefined
  readonly isClient: boolean
  readonly isRoot: boolean
}

const operationTypes: Readonly<Record<string, EventType>> = {
  ...{ chat: 'llm.call', text_completion: 'llm.call', generate_content: 'llm.call', embeddings: 'llm.call' },
  ...{ execute_tool: 'tool.call', retrieval: 'retrieval', search_memory: 'retrieval' },
  ...{ create_memory: 'memory.write', update_memory: 'memory.write', upsert_memory: 'memory.write' },
}

/** Null for a span that says nothing about the agent's work. */
function typeOf({ of, isClient, isRoot }: Told): EventType | null {
  const operation = of('operation')
  if (operation === 'invoke_agent' || operation === 'invoke_workflow')
    return isRoot && !isClient ? 'session.start' : 'handoff'
  if (typeof operation === 'string' && Object.hasOwn(operationTypes, operation))
    return operationTypes[operation] ?? null
  if (of('mcpMethod') === 'tools/call' && isClient) return 'tool.call'
  return isClient && of('httpMethod') !== undefined && of('host') !== undefined ? 'egress' : null
}

function outcomeOf(type: EventType, failed: boolean, errorType: Value | undefined): Outcome {
  if (!failed && errorType === undefined) return 'succeeded'
  const name = String(errorType ?? '').toLowerCase()
  if (name.includes('timeout') || name.includes('deadline')) return 'timeout'
  if (name.includes('cancel') || name.includes('abort')) return 'cancelled'
  return type === 'tool.call' ? 'tool_error' : 'protocol_error'
}

function attributesOf(list: unknown): Attributes {
  const found = new Map<string, Value>()
  if (!Array.isArray(list)) return found
  for (const each of list) {
    const [key, value] = [text(member(each, 'key')), scalarOf(member(each, 'value'))]
    if (key !== null && value !== null) found.set(key, value)
  }
  return found
}

function scalarOf(value: unknown): Value | null {
  if (!isRecord(value)) return null
  const { stringValue, intValue, doubleValue, boolValue } = value
  if (typeof stringValue === 'string') return stringValue
  if (typeof boolValue === 'boolean') return boolValue
  const number = intValue ?? doubleValue
  const read = typeof number === 'string' || typeof number === 'number' ? Number(number) : Number.NaN
  return Number.isFinite(read) ? read : null
}

function firstOf(attributes: Attributes, names: readonly string[]): Value | undefined {
  for (const name of names) {
    const value = attributes.get(name)
    if (value !== undefined) return value
  }
}

function bounded(value: unknown, length = 256): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, length) : null
}

function countOf(value: Value | undefined): number | null {
  return typeof value === 'number' && value >= 0 ? Math.min(Math.round(value), Number.MAX_SAFE_INTEGER) : null
}

function amountOf(value: Value | undefined): number | null {
  return typeof value === 'number' && value >= 0 ? Math.min(value, 1e12) : null
}

/** The year 2200 in milliseconds: later is no time that a clock shows. */
const lastTime = 7_258_118_400_000

function millisecondsOf(nanoseconds: unknown): number | null {
  // As text, because a number of nanoseconds has more digits than a double keeps.
  const text = typeof nanoseconds === 'number' ? nanoseconds.toFixed(0) : nanoseconds
  const milliseconds = typeof text === 'string' && /^\d{7,20}$/.test(text) ? Number(text.slice(0, -6)) : 0
  return milliseconds > 0 && milliseconds < lastTime ? milliseconds : null
}

const mostAttributes = 32
const longestAttribute = 256

/** Attributes to keep: no contents of calls. */
function kept(attributes: Attributes): ActivityRecord['attributes'] {
  const short = [...attributes].filter(
    ([name, value]) => !isContent(name) && name.length <= 128 && String(value).length <= longestAttribute,
  )
  return Object.fromEntries(short.slice(0, mostAttributes))
}

/** Spans of a trace belong to the conversation that one of them names. */
function inConversations(records: readonly ActivityRecord[]): readonly ActivityRecord[] {
  const conversations = new Map<string | null, string>()
  for (const { trace_id, conversation_id } of records)
    if (conversation_id !== null && !conversations.has(trace_id)) conversations.set(trace_id, conversation_id)
  return records.map((record) => {
    const conversation = record.conversation_id ?? conversations.get(record.trace_id) ?? null
    return conversation === record.conversation_id ? record : { ...record, conversation_id: conversation }
  })
}
