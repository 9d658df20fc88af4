import { search } from '../../apps/server/src/modules/svc-ai/retrieval/search.ts'
import { type PostingsBlock, postingsOf, segmentOf } from '../../apps/server/src/modules/svc-ai/retrieval/segment.ts'

/** Numbers in [0, 1) that are the same at each run. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

const vocabulary = 60_000
const wordsOfChunk = 220

/** An index of so many chunks, whose words are as frequent as in prose (Zipf), and questions of 4 to 12 of them. */
export function open(count: number) {
  const next = numbersFrom(7)
  const word = (): string => `w${Math.floor(vocabulary ** next())}`
  const text = (words: number): string => Array.from({ length: words }, word).join(' ')
  const blocks: PostingsBlock[] = []
  const begun = performance.now()
  for (let from = 0; from < count; from += 256) {
    const size = Math.min(256, count - from)
    const chunks = Array.from({ length: size }, (_, at) => ({
      ...{ id: `c${from + at}`, text: text(wordsOfChunk), quarantined: false },
    }))
    blocks.push(...postingsOf(chunks, 'simple'))
  }
  const indexedMs = performance.now() - begun
  const segments = []
  for (let from = 0; from < blocks.length; from += 8) segments.push(segmentOf(blocks.slice(from, from + 8), 'simple'))
  const loadedMs = performance.now() - begun - indexedMs
  return {
    indexedMs,
    loadedMs,
    bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
    ask: (rm3: 'on' | 'off') => search(segments, text(4 + Math.floor(next() * 9)), { top: 8, rm3 }).hits.length,
  }
}
