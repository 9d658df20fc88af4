import type { Document } from './match.ts'
import { scimProblem } from './problems.ts'
import type { ListQuery } from './resource.ts'

const longest = 8_000

/** A list's wishes from the body of a search (RFC 7644 section 3.4.3). @throws API-001 with scimType invalidValue */
export function readSearch(body: Document): ListQuery {
  const member = (name: string): unknown =>
    Object.entries(body).find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1] ?? undefined
  const read = {
    filter: text('filter', member('filter')),
    cursor: text('cursor', member('cursor')),
    attributes: names('attributes', member('attributes')),
    excludedAttributes: names('excludedAttributes', member('excludedAttributes')),
    startIndex: whole('startIndex', member('startIndex')),
    count: whole('count', member('count')),
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

function text(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value.length > longest)
    throw scimProblem('invalidValue', `${name} is text of at most ${longest} characters.`)
  return value
}

function names(name: string, value: unknown): string | undefined {
  if (!Array.isArray(value)) return text(name, value)
  if (value.some((one) => typeof one !== 'string')) throw scimProblem('invalidValue', `${name} is a list of names.`)
  return text(name, value.join(','))
}

function whole(name: string, value: unknown): number | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw scimProblem('invalidValue', `${name} is a whole number.`)
  return value
}
