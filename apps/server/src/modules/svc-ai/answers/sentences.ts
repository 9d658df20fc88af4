/** Sentences of a text by their offsets. Pure. Tested in verify.test.ts. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** An end mark with whatever closes behind it, citations included, or a line break. */
const ends = /(?:(?<![.!?。！？])[.!?。！？]+(?:["'”’)]|\s*\[\d{1,3}\])*(?=\s|$))|\n+/gu
/** Short words before a full stop that end no sentence. */
const abbreviation = /(?:^|\s)(?:e\.g|i\.e|etc|vs|cf|no|nr|mr|mrs|ms|dr|st|art|sec|fig|p|pp|[a-z])$/i

/** The sentences, without space around them; together they hold everything but space. */
export function sentencesOf(text: string): readonly Span[] {
  const spans: Span[] = []
  let start = 0
  for (const match of text.matchAll(ends)) {
    const end = match.index + match[0].length
    if (match[0] === '.' && abbreviation.test(text.slice(start, match.index))) continue
    pushTrimmed(spans, text, { start, end })
    start = end
  }
  pushTrimmed(spans, text, { start, end: text.length })
  return spans
}

function pushTrimmed(spans: Span[], text: string, { start, end }: Span): void {
  const own = text.slice(start, end)
  if (own.trim() === '') return
  const from = start + own.length - own.trimStart().length
  spans.push({ start: from, end: from + own.trim().length })
}
