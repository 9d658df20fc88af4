/** Helpers of the readers of formats. Pure. */
import { isRecord } from '../../../../kernel/base/is-record.ts'
import type { Skipped } from '../../declared/relation-schema.ts'

/** The content is not of its format. */
export class ContentFault extends Error {
  override readonly name = 'ContentFault'
  readonly pointer: string

  constructor(pointer: string, message: string) {
    super(message)
    this.pointer = pointer
  }
}

export type Fields = Readonly<Record<string, unknown>>

export function fieldsAt(value: unknown, pointer: string): Fields {
  if (!isRecord(value)) throw new ContentFault(pointer, 'This must be an object.')
  return value
}

/** An empty list where the member is missing. */
export function listAt(value: unknown, pointer: string): readonly unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new ContentFault(pointer, 'This must be a list.')
  return value
}

/** Text of a member, cut to so many characters; null where it is missing, empty or no text. */
export function textOf(value: unknown, most = 300): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, most) : null
}

/** Parts that were left out, at most a thousand of them. */
export class SkippedParts {
  readonly parts: Skipped[] = []
  #more = 0

  add(pointer: string, reason: string): void {
    if (this.parts.length < 999) this.parts.push({ pointer, reason: reason.slice(0, 300) })
    else this.#more += 1
  }

  all(): readonly Skipped[] {
    return this.#more === 0
      ? this.parts
      : [...this.parts, { pointer: '/content', reason: `${this.#more} more parts were left out.` }]
  }
}
