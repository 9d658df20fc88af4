/**
 * The best places of a text, far enough from each other to be different ones: a planted text stands alone, while the
 * worst sentence of a harmless text has others nearly as bad. Tested in peaks.test.ts.
 */

/** How far the best place stands above others of the text; 0 where there are none. */
export interface StandOut {
  readonly next: number
  readonly fourth: number
}

/** Characters of a place, as a power of two. */
const placeBits = 9

export interface Peaks {
  /** Counts a logit found at a position. */
  raise(position: number, logit: number): void
  standOut(): StandOut
}

export function createPeaks(): Peaks {
  const places: number[] = []
  return {
    raise: (position, logit) => {
      const place = position >> placeBits
      while (places.length <= place) places.push(Number.NEGATIVE_INFINITY)
      if (logit > (places[place] ?? 0)) places[place] = logit
    },
    standOut: () => standOut(places),
  }
}

function standOut(places: readonly number[]): StandOut {
  const top = places.reduce((most, logit) => Math.max(most, logit), Number.NEGATIVE_INFINITY)
  const at = places.indexOf(top)
  const highest: number[] = []
  places.forEach((logit, place) => {
    if (logit === Number.NEGATIVE_INFINITY || Math.abs(place - at) <= 1) return
    if (highest.length === most && logit <= (highest[most - 1] ?? 0)) return
    highest.push(logit)
    highest.sort((a, b) => b - a)
    highest.length = Math.min(highest.length, most)
  })
  const [next = top] = highest
  const fourth = highest[highest.length - 1] ?? top
  return highest.length === 0 ? { next: 0, fourth: 0 } : { next: top - next, fourth: top - fourth }
}

const most = 4
