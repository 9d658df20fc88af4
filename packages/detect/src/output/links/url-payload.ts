/**
 * Whether an address carries something out: words of the conversation, encoded or random data, prose, a template slot.
 * Tested in links.test.ts.
 */
import { decodeBase64 } from '../../text/bytes/base64.ts'
import { textOfBytes } from '../../text/decode/bytes.ts'
import { createGramBits, eachGram, type GramBits } from '../grams/gram-index.ts'
import { squeeze } from '../grams/squeeze.ts'
import type { Address } from './address.ts'

export type Payload = 'conversation' | 'encoded' | 'random' | 'template' | 'prose'

/** Text of the user and the tools, ready for look-ups. */
export interface Conversation {
  readonly text: string
  readonly grams: GramBits
  readonly isKnown: (value: string) => boolean
}

const gram = 8
const never = (): boolean => false

/** Prepares a conversation; `isKnown` tells further values that belong to it, such as those of a vault. */
export function prepareConversation(text = '', isKnown: (value: string) => boolean = never): Conversation {
  const grams = createGramBits(text.length > 20_000 ? 21 : 18)
  const { units, length } = squeeze(text, { allScripts: true, offset: 0 })
  eachGram(units, { length, size: gram }, grams.add)
  return { text, grams, isKnown }
}

/** Payload of the address, gravest first; undefined for nothing suspicious. */
export function payloadOf(address: Address, raw: string, conversation: Conversation): Payload | undefined {
  const values = valuesOf(address)
  if (values.length === 0 && address.rest.length < minTemplate) return undefined
  const isQuoted = raw.length > 8 && conversation.text.includes(raw)
  if (!isQuoted && values.some((value) => carriesConversation(value.text, conversation))) return 'conversation'
  const decoded = values.map(({ text }) => decodedText(text)).filter((text) => text !== undefined)
  if (!isQuoted && decoded.some((text) => carriesConversation(text, conversation))) return 'conversation'
  if (decoded.length > 0) return 'encoded'
  if (values.some(looksRandom)) return 'random'
  if (/\{\{|\$\{|\{[a-z_ ]{2,40}\}|%7b[a-z_%0-9]{2,40}%7d|\[[A-Z_ ]{4,40}\]|<[A-Z_ ]{4,40}>/i.test(address.rest))
    return 'template'
  return values.some(({ text, inQuery }) => inQuery && wordCount(text) >= 6) ? 'prose' : undefined
}

/** The shortest template slot, `${`. */
const minTemplate = 2

interface Value {
  readonly text: string
  readonly inQuery: boolean
}

const minValue = 4

/** Parameter values, path segments and the labels before the registered name. */
function valuesOf({ host, rest }: Address): Value[] {
  const labels = host.split('.').slice(0, -2)
  if (rest.length <= minValue && labels.length === 0) return []
  const queryAt = rest.search(/[?#]/)
  const path = queryAt < 0 ? rest : rest.slice(0, queryAt)
  const query = queryAt < 0 ? '' : rest.slice(queryAt + 1)
  const parameters = query.split(/[&#;?]/).map((pair) => pair.slice(pair.indexOf('=') + 1))
  return [
    ...parameters.map((text) => ({ text: plainValue(text), inQuery: true })),
    ...path.split('/').map((text) => ({ text: plainValue(text), inQuery: false })),
    ...(labels.length > 0 ? [{ text: labels.join(''), inQuery: false }] : []),
  ].filter(({ text }) => text.length >= minValue)
}

/** Percent escapes as characters; bytes that are no UTF-8 stay as they are. */
function plainValue(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  if (!spaced.includes('%')) return spaced
  return spaced.replace(/(?:%[0-9a-f]{2}){1,240}/gi, (run) => {
    const bytes = Uint8Array.from(run.slice(1).split('%'), (pair) => Number.parseInt(pair, 16))
    return new TextDecoder().decode(bytes)
  })
}

const minShare = 0.6

function carriesConversation(value: string, { text, grams, isKnown }: Conversation): boolean {
  if (value.length >= 4 && isKnown(value)) return true
  if (text === '' || !isTelling(value)) return false
  const { units, length } = squeeze(value, { allScripts: true, offset: 0 })
  if (length < gram) return false
  let known = 0
  eachGram(units, { length, size: gram }, (hash) => {
    if (grams.has(hash)) known += 1
  })
  return known / (length - gram + 1) >= minShare
}

/** Topic words in a link are everyday; numbers, addresses and sentences from the conversation are not. */
const isTelling = (value: string): boolean => /\d{2}|@/.test(value) || value.length >= 24 || wordCount(value) >= 4

const wordCount = (text: string): number =>
  text.split(/[\s_,;|]+/).filter((word) => /^\p{L}{2,24}[.:!?]?$/u.test(word)).length

const minEncoded = 16

/** Text decoded from base64 or hexadecimal digits, when it is text. */
function decodedText(value: string): string | undefined {
  const compact = value.replaceAll(' ', '+')
  if (compact.length < minEncoded) return undefined
  if (/^[0-9a-f]+$/i.test(compact) && compact.length % 2 === 0) {
    const bytes = Uint8Array.from({ length: compact.length / 2 }, (_, i) =>
      Number.parseInt(compact.slice(i * 2, i * 2 + 2), 16),
    )
    return printable(textOfBytes(bytes))
  }
  // A word is also base64; only digits or mixed case make it worth decoding.
  if (!/^[\w+/-]+={0,2}$/.test(compact) || !/[A-Z]/.test(compact) || !/[a-z]/.test(compact)) return undefined
  const digits = compact
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/(?<!=)=+$/, '')
  const bytes = decodeBase64(digits.slice(0, digits.length - (digits.length % 4)))
  return bytes === undefined ? undefined : printable(textOfBytes(bytes))
}

const printable = (text: string | undefined): string | undefined =>
  text !== undefined && text.length >= 8 && !/(?![\t\n\r])\p{Cc}/u.test(text) ? text : undefined

const minRandomQuery = 40
const minRandomPath = 80

/** Long values of mixed characters; digests and UUIDs have fixed lengths and are known by them. */
function looksRandom({ text, inQuery }: Value): boolean {
  if (text.length < (inQuery ? minRandomQuery : minRandomPath) || !/^[\w+/=. -]+$/.test(text)) return false
  if (/^[0-9a-f]{40}$|^[0-9a-f]{64}$|^[0-9a-f-]{36}$/i.test(text)) return false
  return distinctShare(text) && /\d/.test(text) && wordCount(text.replaceAll('-', ' ')) < 3
}

const distinctShare = (text: string): boolean => new Set(text).size >= Math.min(16, text.length / 3)
