/**
 * Which call of a tool a piece of a stream belongs to. OpenAI says it by an index; servers that speak its form leave the
 * index out, give every call the same one, give no ids, or give every piece a new one. Promises that two calls are never
 * taken for one where a name says that another begins, and that each is announced once. Tested in openai.test.ts.
 */

import { exactJson } from '../../../../../kernel/base/exact-json.ts'
import { sha256 } from '../../../../../kernel/crypto/digest.ts'

export interface CallPiece {
  readonly index?: number | undefined
  readonly id?: string | null | undefined
  readonly name: string
}

export interface PlacedPiece {
  readonly index: number
  /** The id by which the call is to be announced; null where it was, or where nothing is known of it yet. */
  readonly announced: string | null
}

interface Known {
  readonly index: number
  /** The index its server gives it. */
  readonly place: number | null
  id: string | null
}

/** `facts` tell one answer from another: ids that are made up must not come again in a conversation. */
export function callPlaces(): (piece: CallPiece, facts: readonly unknown[]) => PlacedPiece {
  const known: Known[] = []
  const opened = (place: number | null): Known => {
    const taken = new Set(known.map(({ index }) => index))
    const free = Math.max(-1, ...taken) + 1
    const one = { index: place === null || taken.has(place) ? free : place, place, id: null }
    known.push(one)
    return one
  }
  return (piece, facts) => {
    const { index: place = null, name } = piece
    const id = piece.id || null
    const before = place === null ? known.at(-1) : known.findLast((one) => one.place === place)
    const same = id === null ? undefined : known.find((one) => one.id === id)
    // Pieces of one call may have an id each, and a call without an id may say its name again; both at once is another.
    const isNew = before !== undefined && name !== '' && before.id !== null && (id !== null || place === null)
    const one = same ?? (before === undefined || isNew ? opened(place) : before)
    if (one.id !== null || (id === null && name === '')) return { index: one.index, announced: null }
    one.id = id ?? madeUpId([...facts, one.index, name])
    return { index: one.index, announced: one.id }
  }
}

/** Arguments are JSON in a text; some servers send the value itself, or null where a function takes none. */
export function argumentsText(said: unknown): string {
  if (typeof said === 'string') return said
  return said === null || said === undefined ? '' : exactJson(said)
}

/** The same for the same call of the same answer. */
export function madeUpId(facts: readonly unknown[]): string {
  return `call_${sha256(JSON.stringify(facts)).slice(0, 24)}`
}
