/**
 * The texts searched for instructions: each text of a call, and the surroundings of the borders between the parts of
 * one message and between consecutive messages of one author, which a model reads as one text. The work is proportional
 * to the number of borders. Tested in joined-texts.test.ts.
 */
import type { CallText } from '../call/texts/texts.ts'

export interface TextToScan extends CallText {
  /**
   * The source messages, for a text joined from several; then only certain results count, since each message is judged
   * by itself.
   */
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

/** Place of the message that contains a text; null for a text outside of messages. */
export function messageOf(location: string): string | null {
  return /^(.*\/content)(?:\/\d+)?$/.exec(location)?.[1] ?? null
}

/** Whether it is the address of an image or a file, which is not part of the surrounding message. */
function isAddress(text: string): boolean {
  return /^(?:https?|gs|s3):\S*$/.test(text)
}

function bordersOf(parts: readonly CallText[]): readonly TextToScan[] {
  const [first] = parts
  if (first === undefined || parts.length < 2) return []
  const isSpaced = parts.every(
    ({ text }, index) => index === 0 || /\s$/.test(parts[index - 1]?.text ?? '') || /^\s/.test(text),
  )
  // It is unknown whether a vendor inserts a separator between parts: words may continue, or end there.
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

/** Pieces of the joined text around its borders; pieces close together are merged. */
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
