/**
 * Relations of mappings as sets of obligations (RCC-5; NIST IR 8477), and their composition over two hops. Where the
 * composition leaves more than one relation open, only the overlap that all of them share may be inferred, or nothing.
 * Tested in relations.test.ts, over all triples of subsets of a small universe.
 */
export const relations = ['equal-to', 'subset-of', 'superset-of', 'intersects-with', 'no-relationship'] as const
export type Relation = (typeof relations)[number]

/** Words of other tools and of OLIR. */
const synonyms: Readonly<Record<string, Relation>> = {
  equal: 'equal-to',
  'equivalent-to': 'equal-to',
  equivalent: 'equal-to',
  subset: 'subset-of',
  'subset-of': 'subset-of',
  superset: 'superset-of',
  intersect: 'intersects-with',
  intersects: 'intersects-with',
  'intersects-with': 'intersects-with',
  'not-related-to': 'no-relationship',
  'no-relation': 'no-relationship',
  none: 'no-relationship',
  disjoint: 'no-relationship',
}

/** Null for a word that names no relation. */
export function relationOf(word: string): Relation | null {
  const plain = word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')
  return relations.find((relation) => relation === plain) ?? synonyms[plain] ?? null
}

const inverses: Readonly<Record<Relation, Relation>> = {
  'equal-to': 'equal-to',
  'subset-of': 'superset-of',
  'superset-of': 'subset-of',
  'intersects-with': 'intersects-with',
  'no-relationship': 'no-relationship',
}

/** The relation read from its other end. */
export const inverse = (relation: Relation): Relation => inverses[relation]

/** The one relation that follows; `overlap`: at least intersects; null: nothing follows. */
export type Composed = Relation | 'overlap' | null

const others: Readonly<Record<Relation, Readonly<Partial<Record<Relation, Composed>>>>> = {
  'equal-to': {},
  'subset-of': { 'subset-of': 'subset-of', 'no-relationship': 'no-relationship' },
  'superset-of': { 'superset-of': 'superset-of', 'subset-of': 'overlap', 'intersects-with': 'overlap' },
  'intersects-with': { 'subset-of': 'overlap' },
  'no-relationship': { 'superset-of': 'no-relationship' },
}

/** A to C where A to B is `first` and B to C is `second`. */
export function compose(first: Relation, second: Relation): Composed {
  if (first === 'equal-to') return second
  if (second === 'equal-to') return first
  return others[first][second] ?? null
}
