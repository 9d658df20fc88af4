import type { Random } from '../../rows/random.ts'
import type { Slots } from '../../rows/template.ts'
import { expand } from '../../rows/template.ts'
import { anySentences, topics, words } from './words.ts'

/** Stands in a half-made carrier where a sentence can be inserted; never in the finished text. */
export const MARK = '\u0001'

/** Writes the words of one document: one topic, one length class, marks between its sentences. */
export interface Writer {
  readonly random: Random
  /** Between 1 and 14: how much longer than its shortest form the document is. */
  readonly scale: number
  sentence(): string
  /** About `count` sentences (times a share of the scale), a mark before each and after the last. */
  prose(count: number): string
  /** As `prose`, without growth. */
  line(): string
  fill(template: string): string
  title(): string
  noun(): string
  name(): string
  number(low: number, high: number): number
  date(): string
  time(): string
  mail(): string
  /** The items of `make(index)`: between `low` and `high`, more in long documents. */
  list(low: number, high: number, make: (index: number) => string): string[]
}

export function createWriter(random: Random): Writer {
  const topic = random.pick(topics)
  const slots: Slots = { ...words, noun: topic.nouns }
  const scale = random.pick([1, 1, 1, 1, 2, 2, 3, 5, 8, 14])
  const fill = (template: string): string => expand(template, slots, random)
  let deck: string[] = []
  const ownSentence = (): string => {
    if (deck.length === 0) deck = random.sample(topic.sentences, topic.sentences.length)
    return deck.pop() ?? random.pick(topic.sentences)
  }
  const sentence = (): string => fill(random.chance(0.7) ? ownSentence() : random.pick(anySentences))
  const number = (low: number, high: number): number => low + random.below(high - low + 1)
  const two = (value: number): string => String(value).padStart(2, '0')
  const marked = (count: number): string => {
    const parts = Array.from({ length: count }, () => `${MARK}${sentence()}`)
    return `${parts.join(' ')}${MARK}`
  }
  return {
    random,
    scale,
    sentence,
    fill,
    number,
    prose: (count) => marked(Math.max(1, Math.round(count * (0.5 + scale * 0.5)))),
    line: () => marked(1),
    title: () => random.pick(topic.titles),
    noun: () => random.pick(topic.nouns),
    name: () => random.pick(words.name),
    date: () => `20${number(19, 26)}-${two(number(1, 12))}-${two(number(1, 28))}`,
    time: () => `${two(number(0, 23))}:${two(number(0, 59))}:${two(number(0, 59))}`,
    mail: () =>
      `${fill('{name}').toLowerCase().replace(' ', '.')}@${fill('(example.com|example.org|mail.example|corp.example)')}`,
    list: (low, high, make) =>
      Array.from({ length: number(low, high) + random.below(scale) * 2 }, (_, index) => make(index)),
  }
}
