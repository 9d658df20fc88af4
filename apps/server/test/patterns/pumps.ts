/**
 * Texts that make a backtracking matcher work: repetitions of each repeated part, after the required prefix and
 * with something behind that fits nowhere.
 */
import type { Node } from './parse.ts'
import { isOne } from './steps.ts'

export interface Pump {
  readonly before: string
  /** Repeated until the text is long enough. */
  readonly again: string
  readonly after: string
}

export function textOf({ before, again, after }: Pump, length: number): string {
  return `${before}${again.repeat(Math.ceil(length / again.length))}${after}`
}

const alphabet = [
  ...'aA0 -_.,:;@/\\"\'=<>()[]{}|!?#$%&*+^~`\n\r\tzZ9xeEf',
  'é',
  'ß',
  '中',
  '😀',
  '\u0000',
  '\u200b',
  '\u00a0',
]
const usual = [
  'a',
  'A',
  '0',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '-',
  '.',
  ',',
  '/',
  '\\',
  '"',
  '(',
  '[',
  '{',
  '<',
  '<a ',
  'a ',
  'a.',
  'a-',
  'a=',
  '0.',
  '0,',
  '😀',
]
const endings = ['', '\u0001', '!\u0001', ' ']
const mostRepeats = 12

interface Place {
  readonly before: string
  readonly again: string
}

/** Of every repeat, alone and together with the next one. */
export function pumpsOf(node: Node, flags: string): readonly Pump[] {
  const places: Place[] = []
  gather(node, '', { flags, places, begin: sampleOf(node, flags, 0).slice(0, 1) })
  const own = places.slice(0, mostRepeats * 6)
  const joined = own
    .slice(1)
    .map(({ before, again }, at) => ({ before: own[at]?.before ?? before, again: `${own[at]?.again ?? ''}${again}` }))
  const whole = own.map(({ before, again }) => ({ before: '', again: `${before}${again}` }))
  const general = usual.map((again) => ({ before: '', again }))
  const seen = new Set<string>()
  return [...own, ...joined, ...whole, ...general].flatMap((place) =>
    endings.flatMap((after) => {
      const key = JSON.stringify([place, after])
      if (seen.has(key) || place.again === '') return []
      seen.add(key)
      return [{ ...place, after }]
    }),
  )
}

interface Gathering {
  readonly flags: string
  /** Beginning of the pattern. */
  readonly begin: string
  readonly places: Place[]
}

function gather(node: Node, before: string, how: Gathering): void {
  if (node.kind === 'all') {
    let sofar = before
    for (const part of node.parts) {
      gather(part, sofar, how)
      sofar += sampleOf(part, how.flags, 0)
    }
  } else if (node.kind === 'any') for (const branch of node.branches) gather(branch, before, how)
  else if (node.kind === 'group' || node.kind === 'look') gather(node.body, before, how)
  else if (node.kind === 'repeat') {
    gather(node.body, before, how)
    if (node.max <= 1) return
    for (const variant of [0, 1, 2]) how.places.push({ before, again: sampleOf(node.body, how.flags, variant) })
    // A repeated part may contain the beginning of the pattern: then each repetition is a place to start again.
    for (const variant of [0, 1]) {
      const again = sampleOf(node.body, how.flags, variant, how.begin)
      if (how.begin !== '' && again.includes(how.begin)) how.places.push({ before, again })
    }
  }
}

/** A text the part matches, of `wanted` where that fits; a look-around asks for nothing. */
export function sampleOf(node: Node, flags: string, variant: number, wanted = ''): string {
  const sample = (inner: Node): string => sampleOf(inner, flags, variant, wanted)
  switch (node.kind) {
    case 'one': {
      if (wanted !== '' && isOne(node.source, wanted, flags)) return wanted
      const characters = charactersOf(node.source, flags)
      return characters[variant % Math.max(1, characters.length)] ?? ''
    }
    case 'all':
      return node.parts.map(sample).join('')
    case 'any':
      return sample(node.branches[variant % node.branches.length] ?? { kind: 'all', parts: [] })
    case 'repeat':
      return sample(node.body).repeat(Math.max(node.min, node.max > 0 && variant > 0 ? 1 : 0))
    case 'group':
      return sample(node.body)
    default:
      return ''
  }
}

const samples = new Map<string, readonly string[]>()

function charactersOf(source: string, flags: string): readonly string[] {
  const key = `${flags} ${source}`
  const known =
    samples.get(key) ?? [...own(source), ...alphabet].filter((character) => isOne(source, character, flags)).slice(0, 3)
  samples.set(key, known)
  return known
}

/** Characters named in a class, for letters that the alphabet lacks. */
function own(source: string): readonly string[] {
  const named = source.replaceAll(/\\u\{?([0-9a-f]+)\}?|\\x([0-9a-f]{2})/gi, (_all, long, short) =>
    String.fromCodePoint(Number.parseInt(long ?? short, 16)),
  )
  return [...named].filter((character) => !'[]\\^-'.includes(character))
}
