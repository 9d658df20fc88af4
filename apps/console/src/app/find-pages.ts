/** Pages that fit what was typed. Pure. Tested in find-pages.test.ts. */
export interface Place {
  readonly name: string
  readonly where: string
  readonly href: string
}

/** The letters have to come in this order; places whose words begin with them come first. */
export function findPlaces(places: readonly Place[], typed: string): readonly Place[] {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return places
  return places
    .map((place) => ({ place, rank: rankOf(`${place.name} ${place.where}`.toLowerCase(), wanted) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .map(({ place }) => place)
}

/** 3 for the beginning, 2 for the beginning of a word, 1 for letters in order, 0 for none. */
function rankOf(text: string, wanted: string): number {
  if (text.startsWith(wanted)) return 3
  if (text.includes(` ${wanted}`)) return 2
  let at = -1
  for (const letter of wanted) {
    at = text.indexOf(letter, at + 1)
    if (at === -1) return 0
  }
  return 1
}
