/**
 * The error a provider describes, in any of the shapes in which servers write one: a record, a record in a list, a plain
 * text, with the words in `message`, `detail`, `error` or another member. Promises that markup and anything that is no
 * text is never passed on. Pure. Tested in said-error.test.ts.
 */
import { isRecord } from '../../../kernel/base/is-record.ts'
import { scrub, unsaid } from './fault.ts'

export interface SaidError {
  /** Scrubbed; null where the provider gave no words. */
  readonly message: string | null
  readonly code: string | number | null
  readonly type: string | null
}

const nothing: SaidError = { message: null, code: null, type: null }
/** Wrappers are never deeper than this in any server known. */
const deepest = 4

/** The error in the body of an answer other than 2xx. */
export function errorInBody(text: string): SaidError {
  try {
    return read(JSON.parse(text), deepest) ?? nothing
  } catch {
    // A sentence may be shown; a page of a proxy may not.
    const isMarkup = /^\s*<|<\/?[a-z!]/i.test(text)
    return isMarkup || text.length > longestSentence ? nothing : { ...nothing, message: wordsOf(text) }
  }
}

const longestSentence = 1000

/** Words that may be shown to the caller. */
export function messageInBody(text: string): string {
  return errorInBody(text).message ?? unsaid
}

/** The error inside a 200 answer; null where the value is no error. `answers` is the member that makes it an answer. */
export function errorInAnswer(value: unknown, answers: string): SaidError | null {
  const one: unknown = Array.isArray(value) ? value[0] : value
  if (!isRecord(one)) return null
  if (isError(one.error) || one.object === 'error' || one.type === 'error') return read(one, deepest) ?? nothing
  return one[answers] == null && (typeof one.detail === 'string' || typeof one.message === 'string')
    ? read(one, deepest)
    : null
}

function isError(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || (isRecord(value) && Object.keys(value).length > 0)
}

function read(value: unknown, depth: number): SaidError | null {
  if (typeof value === 'string') return value.trim() === '' ? null : { ...nothing, message: wordsOf(value) }
  if (Array.isArray(value)) return depth === 0 ? null : listed(value, depth - 1)
  if (!isRecord(value) || depth === 0) return null
  const inner = read(value.error ?? value.errors, depth - 1)
  const message = inner?.message ?? messageIn(value, depth - 1)
  return {
    message: withMore(message, value),
    code: inner?.code ?? codeIn(value),
    type: inner?.type ?? (typeof value.type === 'string' && value.type !== 'error' ? value.type : null),
  }
}

/** Servers that validate a body report a message for each member. */
function listed(values: readonly unknown[], depth: number): SaidError | null {
  const said = values.slice(0, mostListed).flatMap((value) => {
    const one = read(value, depth)
    return one === null ? [] : [one]
  })
  const words = said.flatMap(({ message }) => (message === null ? [] : [message]))
  return said[0] === undefined ? null : { ...said[0], message: words.length === 0 ? null : words.join('; ') }
}

const mostListed = 5
const messageMembers = ['message', 'Message', 'msg', 'detail', 'error_message', 'error_description', 'title'] as const

function messageIn(value: Readonly<Record<string, unknown>>, depth: number): string | null {
  for (const name of messageMembers) {
    const said = read(value[name], depth)?.message ?? null
    if (said !== null) return name === 'msg' ? `${placeIn(value)}${said}` : said
  }
  return null
}

/** `["body", "messages", 0]` is `messages.0`. */
function placeIn({ loc }: Readonly<Record<string, unknown>>): string {
  const place = Array.isArray(loc) ? loc.filter((part) => part !== 'body').map(String) : []
  return place.length === 0 ? '' : `${place.join('.')}: `
}

function codeIn({ code, status, status_code: other }: Readonly<Record<string, unknown>>): string | number | null {
  const found = [code, other, typeof status === 'number' ? status : null].find(
    (one) => typeof one === 'number' || (typeof one === 'string' && one !== ''),
  )
  return typeof found === 'number' || typeof found === 'string' ? found : null
}

/** A router that asks others quotes them, and says itself no more than that they failed. */
function withMore(message: string | null, { metadata }: Readonly<Record<string, unknown>>): string | null {
  const quoted = isRecord(metadata) && typeof metadata.raw === 'string' ? errorInBody(metadata.raw).message : null
  if (quoted === null || message === null) return message ?? quoted
  return message.includes(quoted) ? message : `${message}: ${quoted}`
}

function wordsOf(text: string): string | null {
  const words = scrub(text)
  return words === '' ? null : words
}
