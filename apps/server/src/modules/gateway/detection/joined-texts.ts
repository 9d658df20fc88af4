/**
 * The texts in which instructions are looked for: each of a call, and what stands around the borders between the parts
 * of one message and between messages of one author that follow each other, which a model reads as one text. Promises
 * work in proportion to the number of borders. Tested in joined-texts.test.ts.
 */
import type { CallText } from '../call/texts/texts.ts'

export interface TextToScan extends CallText {
  /** The messages it is made of, where it is made of several texts; then only what is sure counts, since each of them is judged by itself. */
  readonly joined?: readonly string[]
}

/** Characters on each side of a border; no rule looks further than 300. */
const around = 400

export function textsToScan(texts: readonly CallText[]): readonly TextToScan[] {
  if (texts.length < 2) return texts
  const joined = runsOf(texts).flatMap(bordersOf)
  return joined.length === 0 ? texts : [...texts, ...joined]
}

/** Consecutive texts of one author. The output of one tool does not continue the output of another. */
function runsOf(texts: readonly CallText[]): readonly (readonly CallText[])[] {
  const runs: CallText[][] = []
  let last: CallText | null = null
  for (const text of texts) {
    const message = messageOf(text.location)
    if (message === null) {
      if (text.provenance !== last?.provenance) last = null
      continue
    }
    if (text.text === '' || isAddress(text.text)) continue
    const run = runs.at(-1)
    const isSame = last?.provenance === text.provenance
    const goesOn = isSame && (text.provenance !== 'tool_result' || messageOf(last?.location ?? '') === message)
    if (goesOn && run !== undefined) run.push(text)
    else runs.push([text])
    last = text
  }
  return runs
}

/** Where the message of a text stands; null for what is not said in one. */
export function messageOf(location: string): string | null {
  return /^(.*\/content)(?:\/\d+)?$/.exec(location)?.[1] ?? null
}

/** Of an image or a file, and no part of what is said around it. */
function isAddress(text: string): boolean {
  return /^(?:https?|gs|s3):\S*$/.test(text)
}

function bordersOf(parts: readonly CallText[]): readonly TextToScan[] {
  const [first] = parts
  if (first === undefined || parts.length < 2) return []
  const isSpaced = parts.every(
    ({ text }, index) => index === 0 || /\s$/.test(parts[index - 1]?.text ?? '') || /^\s/.test(text),
  )
  // Whether a vendor puts something between parts is not known: words may go on, or end there.
  const glues = isSpaced ? [''] : ['', '\n']
  const joined = [...new Set(parts.map((part) => messageOf(part.location) ?? part.location))]
  const [location = first.location] = joined
  const isAttached = parts.some((part) => part.isAttached === true)
  return glues.flatMap((glue) =>
    windowsOf(parts, glue).map((text) => ({
      ...{ location, provenance: first.provenance, text, joined },
      ...(isAttached && { isAttached: true as const }),
    })),
  )
}

/** Pieces of the joined text around its borders; near ones are one piece. */
function windowsOf(parts: readonly CallText[], glue: string): readonly string[] {
  const whole = parts.map(({ text }) => text).join(glue)
  const windows: { start: number; end: number }[] = []
  let border = 0
  for (const { text } of parts.slice(0, -1)) {
    border += text.length + glue.length
    const start = Math.max(0, border - around)
    const last = windows.at(-1)
    if (last !== undefined && last.end >= start) last.end = border + around
    else windows.push({ start, end: border + around })
  }
  return windows.map(({ start, end }) => whole.slice(start, end))
}
