import type { Random } from '../../rows/random.ts'

type Noise = (text: string, random: Random) => string

const capitals: Noise = (text) => text.toUpperCase()
const smalls: Noise = (text) => text.toLowerCase()
const titles: Noise = (text) => text.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
const noPunctuation: Noise = (text) => text.replaceAll(/[.,;:!?'"]/g, '')
const shouting: Noise = (text, random) => text.replaceAll(/[.]/g, () => '!'.repeat(1 + random.below(4)))
const dots: Noise = (text, random) => text.replaceAll(/[.,] /g, (mark) => (random.chance(0.6) ? '... ' : mark))
const wideSpaces: Noise = (text, random) => text.replaceAll(' ', () => (random.chance(0.15) ? '  ' : ' '))
const gluedWords: Noise = (text, random) => text.replaceAll(' ', () => (random.chance(0.06) ? '' : ' '))
const newLines: Noise = (text) => text.replaceAll(/([.!?]) /g, '$1\n')

const emojis = ['😀', '🙏', '🔥', '🤖', '😈', '👉', '✨', '🚀', '💀', '🔓', '❗', '😭', '👀']
const emoji: Noise = (text, random) => {
  const mark = random.pick(emojis).repeat(1 + random.below(3))
  return random.chance(0.5) ? `${mark} ${text}` : `${text} ${mark}`
}

const chatWords: Readonly<Record<string, string>> = {
  you: 'u',
  your: 'ur',
  please: 'plz',
  are: 'r',
  the: 'da',
  because: 'cuz',
  'do not': 'dont',
  "don't": 'dont',
  to: '2',
  for: '4',
  and: 'n',
  with: 'w',
  what: 'wat',
}
const chatSpelling: Noise = (text, random) =>
  text.replaceAll(/\b(you|your|please|are|because|do not|don't|for|and|with|what)\b/g, (word) =>
    random.chance(0.5) ? (chatWords[word] ?? word) : word,
  )

const foreign: Noise = (text, random) =>
  text.replaceAll(/\b(the|a|an|is|are|to|of) /g, (word) => (random.chance(0.45) ? '' : word))

const typos: Noise = (text, random) => {
  const rate = random.pick([0.02, 0.04, 0.07])
  let out = ''
  for (let i = 0; i < text.length; i += 1) {
    const letter = text.charAt(i)
    if (!/[a-z]/.test(letter) || !random.chance(rate)) out += letter
    else {
      const kind = random.below(3)
      const next = text.charAt(i + 1)
      if (kind === 0) out += letter + letter
      else if (kind === 1 && /[a-z]/.test(next)) {
        out += next + letter
        i += 1
      }
    }
  }
  return out
}

const quoted: Noise = (text, random) => {
  const [open, close] = random.pick([
    ['"', '"'],
    ['<<', '>>'],
    ['*', '*'],
    ['**', '**'],
    ['`', '`'],
    ['--- ', ' ---'],
    ['>>> ', ''],
    ['# ', ''],
    ['- ', ''],
    ['(', ')'],
  ])
  return `${open ?? ''}${text}${close ?? ''}`
}

const noises: readonly Noise[] = [
  capitals,
  smalls,
  smalls,
  smalls,
  titles,
  noPunctuation,
  shouting,
  dots,
  wideSpaces,
  gluedWords,
  newLines,
  emoji,
  chatSpelling,
  foreign,
  typos,
  typos,
  quoted,
]

/** Writes the text as another hand might: case, typos, missing or extra marks, emojis. About half stays as it is. */
export function surfaceNoise(text: string, random: Random): string {
  if (random.chance(0.5)) return text
  const once = random.pick(noises)(text, random)
  return random.chance(0.75) ? once : random.pick(noises)(once, random)
}
