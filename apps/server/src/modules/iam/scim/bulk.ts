/**
 * Reads a bulk request (RFC 7644 section 3.7): its operations, their `bulkId` references, and the substitution of
 * such a reference once there is an id. It runs nothing. Tested in bulk.test.ts.
 */
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { type Document, isDocument } from './match.ts'
import { scimProblem } from './problems.ts'

export const mostBulkOperations = 200
/** Bytes. */
export const mostBulkPayload = 1_048_576

const methods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const
export type BulkMethod = (typeof methods)[number]

export interface BulkOperation {
  readonly method: BulkMethod
  readonly bulkId: string | null
  /** Entity tag that must still hold. */
  readonly version: string | undefined
  readonly type: 'Users' | 'Groups'
  /** Of the resource, or a reference to one made here; null where one is made. */
  readonly id: string | null
  readonly data: Document
  /** The bulkIds it waits for. */
  readonly refersTo: readonly string[]
}

export interface BulkRequest {
  readonly operations: readonly BulkOperation[]
  /** After so many faults the rest is left undone. */
  readonly failOnErrors: number
}

const mark = 'bulkId:'
const longestBulkId = 200

/** @throws API-001 with scimType invalidSyntax or invalidValue for the whole request, API-005 for too many operations */
export function readBulk(body: Document): BulkRequest {
  const list = member(body, 'Operations')
  if (!Array.isArray(list) || list.length === 0) throw scimProblem('invalidSyntax', 'A bulk request has Operations.')
  if (list.length > mostBulkOperations) throw apiErrors.tooLarge({ limit: mostBulkPayload })
  const operations = list.map(readOperation)
  const made = operations.flatMap(({ method, bulkId }) => (method === 'POST' && bulkId !== null ? [bulkId] : []))
  if (new Set(made).size !== made.length) throw scimProblem('invalidValue', 'Two operations have the same bulkId.')
  const failOnErrors = member(body, 'failOnErrors') ?? list.length
  if (typeof failOnErrors !== 'number' || !Number.isSafeInteger(failOnErrors) || failOnErrors < 1)
    throw scimProblem('invalidValue', 'failOnErrors is a whole number from 1.')
  return { operations, failOnErrors }
}

function member(document: Document, name: string): unknown {
  return Object.entries(document).find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1] ?? undefined
}

function readOperation(operation: unknown, index: number): BulkOperation {
  const wrong = (what: string) => scimProblem('invalidSyntax', `Operation ${index + 1}: ${what}`)
  if (!isDocument(operation)) throw wrong('it is an object.')
  const word = String(member(operation, 'method')).toUpperCase()
  const method = methods.find((known) => known === word)
  if (method === undefined) throw wrong(`method is ${methods.join(', ')}.`)
  const path = member(operation, 'path')
  const [, type, id = null] = (typeof path === 'string' ? /^\/?(Users|Groups)(?:\/([^/?#]+))?$/.exec(path) : null) ?? []
  if (type !== 'Users' && type !== 'Groups') throw wrong('path leads to Users or Groups.')
  if ((method === 'POST') !== (id === null)) throw wrong('POST names a kind of resource, the others name a resource.')
  const bulkId = member(operation, 'bulkId') ?? null
  if (bulkId !== null && (typeof bulkId !== 'string' || bulkId === '' || bulkId.length > longestBulkId))
    throw wrong(`bulkId is text of at most ${longestBulkId} characters.`)
  if (method === 'POST' && bulkId === null) throw wrong('POST needs a bulkId.')
  const version = member(operation, 'version')
  if (version !== undefined && typeof version !== 'string') throw wrong('version is an entity tag.')
  const data = member(operation, 'data') ?? {}
  if (!isDocument(data)) throw wrong('data is an object.')
  const refersTo = [...new Set([...referencesIn(data), ...(id === null ? [] : referencesIn(id))])]
  return { method, bulkId, version, type, id, data, refersTo }
}

function referencesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.startsWith(mark) ? [value.slice(mark.length)] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(referencesIn) : []
}

/** The same with ids in place of references. */
export function resolved<T>(value: T, ids: ReadonlyMap<string, string>): T
export function resolved(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? (ids.get(value.slice(mark.length)) ?? value) : value
  if (Array.isArray(value)) return value.map((one) => resolved(one, ids))
  if (!isDocument(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(one, ids)]))
}

/**
 * The operations by their places, so that what is referred to comes before what refers to it; otherwise as they were
 * sent. Those that wait for each other in a circle come last and are named.
 */
export function inOrder(operations: readonly BulkOperation[]): {
  readonly order: readonly number[]
  readonly circular: ReadonlySet<number>
} {
  const maker = new Map(
    operations.flatMap(({ method, bulkId }, index) =>
      method === 'POST' && bulkId !== null ? [[bulkId, index] as const] : [],
    ),
  )
  const left = new Set(operations.keys())
  const order: number[] = []
  const waits = (index: number): boolean =>
    (operations[index]?.refersTo ?? []).some((id) => left.has(maker.get(id) ?? -1))
  for (let next = firstOf(left, waits); next !== undefined; next = firstOf(left, waits)) {
    left.delete(next)
    order.push(next)
  }
  return { order: [...order, ...left], circular: left }
}

function firstOf(left: ReadonlySet<number>, waits: (index: number) => boolean): number | undefined {
  for (const index of left) if (!waits(index)) return index
  return undefined
}
