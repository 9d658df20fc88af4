/**
 * Content of a call that only its vendor can read: pictures, sound and files in a form that is not understood, and
 * texts that the vendor stores itself. Other members that are not understood are texts and values, and the detectors
 * read those. Pure. Tested in kept-parts.test.ts.
 */
import type { CanonicalCall, VendorExtra } from '../call.ts'
import { readDataUrl } from './data-url.ts'

export interface KeptPart {
  /** JSON Pointer into the body. */
  readonly location: string
  /** In words, for the error text of a refusal. */
  readonly what: string
  /** Null for a text stored by the vendor. */
  readonly media: KeptMedia | null
}

export interface KeptMedia {
  readonly mime: string | null
  /** Base64, if the body contains the bytes. */
  readonly data: string | null
  /** Whether the provider would fetch it from an address. */
  readonly remote: boolean
}

export function keptParts({ extra }: Pick<CanonicalCall, 'extra'>): readonly KeptPart[] {
  return extra.flatMap((member) => [...storedText(member), ...media(member)])
}

/** Prompts and messages stored at the vendor, by their ids, which only the vendor can read. */
function storedText({ at, form, value }: VendorExtra): readonly KeptPart[] {
  if (form !== 'openai_responses') return []
  if (at === '/prompt') return [{ location: at, what: 'a prompt that the provider keeps', media: null }]
  return typeOf(value) === 'item_reference'
    ? [{ location: at, what: 'an item that the provider keeps', media: null }]
    : []
}

const mediaType = /image|picture|photo|audio|video|file|document|upload/i
/** A member of a message, such as the sound of an earlier answer. */
const mediaMember = /\/(?:audio|image|video|file)$/

function media({ at, value }: VendorExtra): readonly KeptPart[] {
  const type = typeOf(value)
  const named = type !== null && mediaType.test(type) ? type : null
  const member = typeof value === 'object' ? (mediaMember.exec(at)?.[0].slice(1) ?? null) : null
  const what = named ?? member
  if (what === null || isResult(type)) return []
  const facts: Facts = { mime: null, data: null, remote: false }
  gather(value, facts, deepest)
  return [{ location: at, what: `a part of the type ${what}`, media: facts }]
}

/** The output of a vendor's own tool is text. */
const isResult = (type: string | null): boolean => type !== null && /_(?:result|call|call_output|citation)$/.test(type)

function typeOf(value: unknown): string | null {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
    ? value.type
    : null
}

interface Facts {
  mime: string | null
  data: string | null
  remote: boolean
}

/** The reader limits the depth of bodies; a source is close to its part. */
const deepest = 8

function gather(value: unknown, facts: Facts, depth: number): void {
  if (typeof value !== 'object' || value === null || depth === 0) return
  for (const [name, member] of Object.entries(value)) {
    if (typeof member !== 'string') gather(member, facts, depth - 1)
    else if (name === 'media_type' || name === 'mime_type') facts.mime ??= member.toLowerCase()
    else if (/^(?:https?|gs|s3|ftp):/i.test(member)) facts.remote = true
    else if (name === 'data' || name.endsWith('_data')) facts.data ??= member.slice(member.indexOf(',') + 1)
    else {
      const held = readDataUrl(member)
      facts.mime ??= held?.mime ?? null
      facts.data ??= held?.body ?? null
    }
  }
}
