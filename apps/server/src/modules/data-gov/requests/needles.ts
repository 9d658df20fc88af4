/** Forms in which an identifier can stand in stored text. Tested in needles.test.ts. */

/** Shorter words stand everywhere and say nothing. */
const leastLength = 6

/** Lower-case texts to look for: as written, as JSON and addresses escape it, and as bytes are shown. */
export function needlesOf(values: readonly string[]): readonly string[] {
  const words = values.map((value) => value.trim().toLowerCase()).filter((value) => value.length >= leastLength)
  return [
    ...new Set(
      words.flatMap((word) => [
        word,
        JSON.stringify(word).slice(1, -1),
        encodeURIComponent(word).toLowerCase(),
        Buffer.from(word).toString('hex'),
      ]),
    ),
  ]
}

export function holdsNeedle(text: string, needles: readonly string[]): boolean {
  const lower = text.toLowerCase()
  return needles.some((needle) => lower.includes(needle))
}
