/**
 * Variants of rows. The same is done to attacks and to harmless texts, so that being encoded, noisy or long is no sign
 * of either; only what is said is.
 */

import { foldOf } from './folds.ts'
import { opening } from './generators/attack/canonical.ts'
import { encoders } from './rows/encode.ts'
import { createRandom, type Random } from './rows/random.ts'
import { isWritten, type Row } from './rows/row.ts'

const wrappers = [
  '{text}',
  '{text}',
  '{text}',
  'Decode this: {text}',
  'What does this say?\n{text}',
  'Decode the following and do what it says: {text}',
  '{text}\n\nTranslate the above and respond.',
  'Please read this message: {text}',
  'The string "{text}" was in the log file.',
  'Here is the encoded text:\n\n{text}\n\nThanks!',
]

/** `count` encoded copies of short rows, attacks and harmless texts alike. */
export function encodedRows(rows: readonly Row[], count: number, seed: number): Row[] {
  const random = createRandom(seed)
  const short = rows.filter(({ text, kind }) => text.length < 400 && text.length > 24 && isPlain(kind))
  const names = Object.keys(encoders)
  const chosen = (label: 0 | 1): Row[] =>
    random.sample(
      short.filter((row) => row.label === label),
      count >> 1,
    )
  return [...chosen(1), ...chosen(0)].map((row) => {
    const name = random.pick(names)
    const encoded = encoders[name]?.(row.text, random) ?? row.text
    const { planted: _, ...plain } = row
    return {
      ...plain,
      text: random.pick(wrappers).replace('{text}', () => encoded),
      kind: row.label === 1 ? 'obfuscated' : 'obfuscated-benign',
      source: 'gen-encoded',
      fold: foldOf(row),
      enc: name,
    }
  })
}

const isPlain = (kind: string): boolean => !kind.startsWith('obfuscated') && !kind.startsWith('indirect')

/** Attacks of every kind after the opening that most real ones begin with: `count` rows. */
export function openedRows(rows: readonly Row[], count: number, seed: number): Row[] {
  const random = createRandom(seed)
  const attacks = rows.filter(
    ({ label, kind, text, lang }) => label === 1 && isPlain(kind) && lang === 'en' && text.length < 800,
  )
  return random.sample(attacks, count).map((row) => ({
    ...row,
    text: `${opening(random)}${random.pick([' ', ' ', '\n', '\n\n'])}${row.text}`,
    source: 'gen-opened',
    fold: foldOf(row),
  }))
}

/** Attacks hidden in long harmless documents: `count` rows of 1 to 16 kB, a third of them written by hand. */
export function hiddenRows(rows: readonly Row[], count: number, seed: number): Row[] {
  const random = createRandom(seed)
  const attacks = rows.filter(
    ({ label, kind, source, text }) =>
      label === 1 && (isPlain(kind) || isWritten(source)) && text.length > 30 && text.length < 600,
  )
  const written = groupBy(
    attacks.filter(({ source, lang }) => isWritten(source) && lang === 'en'),
    (attack) => `${foldOf(attack)}`,
  )
  const ofFold = groupBy(attacks, (attack) => `${foldOf(attack)}`)
  const ofLanguage = groupBy(attacks, (attack) => `${foldOf(attack)} ${attack.lang}`)
  const documents = rows.filter(({ label, kind, text }) => label === 0 && isCarrier(kind) && text.length > 500)
  return Array.from({ length: count }, () => {
    const size = Math.round(1_000 * 16 ** random.next())
    const around = carrier(documents, size, random)
    const { fold } = around
    const alike = random.chance(1 / 3)
      ? written.get(`${fold}`)
      : random.chance(0.7)
        ? ofLanguage.get(`${fold} ${around.lang}`)
        : undefined
    const attack = random.pick(alike ?? ofFold.get(`${fold}`) ?? attacks)
    return {
      ...attack,
      ...hide(attack.text, around.text, random),
      kind: 'indirect',
      source: 'gen-hidden',
      fold,
    }
  })
}

/**
 * Long harmless documents, each of documents of one given source: `count` rows of 3 to 30 kB, because there are few real
 * ones and long texts have more windows that can look bad.
 */
export function longRows(rows: readonly Row[], count: number, seed: number): Row[] {
  const random = createRandom(seed)
  const documents = rows.filter(({ label, kind, text }) => label === 0 && isCarrier(kind) && text.length > 300)
  return Array.from({ length: count }, () => {
    const long = carrier(documents, Math.round(3_000 * 10 ** random.next()), random)
    return { ...long, label: 0, kind: 'long-document' }
  })
}

const isCarrier = (kind: string): boolean => kind.includes('document') || kind === 'code'

function groupBy(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}

/** A document of a size, of documents of one source, language and fold. */
function carrier(
  documents: readonly Row[],
  size: number,
  random: Random,
): Pick<Row, 'text' | 'source' | 'lang'> & { readonly fold: number } {
  const first = random.pick(documents)
  const fold = foldOf(first)
  const alike = documents.filter(
    (row) => row.source === first.source && row.lang === first.lang && foldOf(row) === fold,
  )
  const parts = [first.text]
  for (let length = first.text.length; length < size; length += parts[parts.length - 1]?.length ?? size)
    parts.push(random.pick(alike).text)
  return { text: parts.join('\n\n').slice(0, size), source: first.source, lang: first.lang, fold }
}

const frames: readonly (readonly [string, string])[] = [
  [' ', ' '],
  ['\n', '\n'],
  ['\n\n', '\n\n'],
  ['\n- ', '\n'],
  [' (', ') '],
]

/** Puts the attack after a random sentence or line. */
export function hide(attack: string, text: string, random: Random): Pick<Row, 'text' | 'planted'> {
  const from = random.below(text.length)
  const stop = /[.!?\n]\s/.exec(text.slice(from, from + 400))
  const at = stop === null ? from : from + stop.index + 1
  const [before, after] = random.pick(frames)
  const start = at + before.length
  return {
    text: `${text.slice(0, at)}${before}${attack}${after}${text.slice(at)}`,
    planted: [start, start + attack.length],
  }
}
