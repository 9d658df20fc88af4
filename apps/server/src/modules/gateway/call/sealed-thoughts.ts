/**
 * Sealed (encrypted or signed) reasoning of a vendor's model, which goes back to the vendor unchanged or not at all.
 * The sealed bytes are marked as unreadable here, and everything else that travels with them is inspected like any
 * text. Pure. Tested in sealed-thoughts.test.ts.
 */
import { findPii } from '@parapet/detect'
import type { Part, ReasoningPart } from './call.ts'
import { isPlainName, mapValue, memberNames } from './json-texts.ts'

/**
 * Base64, the encoding of all vendors, optionally prefixed with the vendor's name. Values with as many digits as a card
 * number are inspected.
 */
const sealedBytes = /^(?!.*\d{12})(?:google#)?[A-Za-z0-9+/_-]*={0,2}$/

const sealedMembers: ReadonlySet<string> = new Set(['encrypted_content', 'signature', 'data'])

/**
 * Ids of reasoning as made by OpenAI, and by us in its form. Other characters could be words or a key, so they are
 * inspected.
 */
const vendorsId = /^rs_[0-9a-f]{32,64}$/
/** As many digits as the shortest card numbers. One id in twenty has them by chance. */
const manyDigits = /\d{12,}/g

/** The texts beside the reasoning itself: values that can carry a message in place of sealed bytes or an id. */
export function textsBeside({ data }: Pick<ReasoningPart, 'data'>): readonly string[] {
  const texts: string[] = []
  const look = (text: string): string => {
    if (!isPlainName(text)) texts.push(text)
    return text
  }
  if (typeof data?.value !== 'object' || data.value === null) return texts
  for (const [name, member] of Object.entries(data.value)) {
    if (typeof member === 'string' && sealedMembers.has(name) && sealedBytes.test(member)) continue
    if (typeof member === 'string' && name === 'id' && vendorsId.test(member)) texts.push(...numbersIn(member))
    else mapValue(piecesOf(name, member), look)
  }
  return texts
}

/**
 * An unknown member with its texts replaced, except for signatures in a form that cannot carry a message: those also
 * occur beside tool calls, and are only valid unchanged.
 */
export function mapVendorValue(value: unknown, text: (value: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => mapVendorValue(item, text))
  if (typeof value !== 'object' || value === null) return mapValue(value, text)
  return mapVendorRecord(value, text)
}

export function mapVendorRecord(record: object, text: (value: string) => string): Record<string, unknown> {
  const names = memberNames(text, Object.keys(record))
  return Object.fromEntries(
    Object.entries(record).map(([name, member]) => [
      names(name),
      isSignature(name, member) ? member : mapVendorValue(member, text),
    ]),
  )
}

const signatureMembers: ReadonlySet<string> = new Set(['thought_signature', 'signature', 'encrypted_content'])

function isSignature(name: string, value: unknown): boolean {
  return typeof value === 'string' && signatureMembers.has(name) && sealedBytes.test(value)
}

/** Detectors do not recognize digits between the letters of an id as a number, so such digits are shown separately. */
function numbersIn(id: string): readonly string[] {
  return (id.match(manyDigits) ?? []).filter((digits) => findPii(digits).length > 0)
}

/** Reasoning in plain words is a text of the part. */
function piecesOf(name: string, member: unknown): unknown {
  if ((name !== 'summary' && name !== 'content') || !Array.isArray(member)) return member
  return member.map(({ text: _, ...rest }: Readonly<Record<string, unknown>>) => rest)
}

/**
 * Whether a part holds reasoning in a form only its vendor can read. The text that a signature covers is read beside
 * it.
 */
export function isSealedThought(part: Part): boolean {
  if (part.type !== 'reasoning' || typeof part.data?.value !== 'object' || part.data.value === null) return false
  return 'encrypted_content' in part.data.value || 'data' in part.data.value
}
