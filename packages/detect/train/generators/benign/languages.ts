import { createRandom, type Random } from '../../rows/random.ts'
import type { Generator, Row } from '../../rows/row.ts'
import { distinct } from '../harmless/draw.ts'
import { languageLines } from '../harmless/language-lines.ts'

const languages = Object.entries(languageLines)

/** Harmless requests in 26 languages: each sentence alone, then two or three of a language together. */
export const generator: Generator = {
  name: 'benign-languages',
  seed: 0xb009,
  rows: () => {
    const random = createRandom(0xb009)
    const alone = languages.flatMap(([lang, sentences]) => sentences.map((text) => row(text, lang)))
    return [...alone, ...distinct(400, (index) => together(index, random))]
  },
}

function row(text: string, lang: string): Row {
  return { text, label: 0, kind: 'hard-negative', source: 'gen-benign-languages', lang }
}

function together(index: number, random: Random): Row {
  const [lang, sentences] = languages[index % languages.length] ?? ['en', []]
  return row(random.sample(sentences, 2 + random.below(2)).join(random.pick([' ', '\n', ' / '])), lang)
}
