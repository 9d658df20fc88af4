/** The example of 8 assets and 10 relations whose probabilities were enumerated over all 1,024 worlds. */
import type { AnalysisInputs } from '../declared/analysis-schema.ts'
import type { AssetKind, RelationKind } from '../declared/words.ts'
import type { TwinEdge, TwinNode, TwinState } from '../model/state.ts'

export const kinds = {
  I: 'external',
  W: 'host',
  H: 'host',
  C: 'prompt_source',
  A: 'agent',
  T: 'tool',
  V: 'secret',
  D: 'data_store',
} as const satisfies Record<string, AssetKind>
export type Letter = keyof typeof kinds
export const letters = Object.keys(kinds) as readonly Letter[]

export const steps: readonly (readonly [Letter, Letter, RelationKind, number])[] = [
  ['I', 'W', 'network_reach', 0.3],
  ['W', 'H', 'network_reach', 0.5],
  ['H', 'D', 'reads', 0.8],
  ['I', 'C', 'feeds_content', 0.9],
  ['C', 'A', 'feeds_content', 0.4],
  ['A', 'T', 'invokes_tool', 0.95],
  ['T', 'D', 'reads', 0.9],
  ['A', 'V', 'contains_secret', 0.2],
  ['V', 'D', 'authenticates_as', 0.95],
  ['I', 'H', 'network_reach', 0.1],
]

export const idOf = (letter: Letter): string =>
  `00000000-0000-4000-8000-0000000000${String(letters.indexOf(letter) + 10)}`

export const node = (letter: Letter, over: Partial<TwinNode> = {}): TwinNode => ({
  ...{ id: idOf(letter), kind: kinds[letter], name: letter, criticality: 3, exposure: 'internal', status: 'active' },
  ...{ crown_jewel: letter === 'D', entry_point: letter === 'I', value: null, capability: null },
  ...{ vulnerabilities: [], controls: [] },
  ...over,
})

export const edge = (place: number, over: Partial<TwinEdge> = {}): TwinEdge => {
  const [from, to, kind, p] = steps[place] ?? ['I', 'W', 'network_reach', 0]
  const id = `00000000-0000-4000-8000-0000000001${String(place).padStart(2, '0')}`
  const ends = { id, from: idOf(from), to: idOf(to), kind }
  return { ...ends, technique: null, p_override: p, hours: null, requires: null, ...over }
}

export const smallEstate: TwinState = {
  nodes: letters.map((letter) => node(letter)),
  edges: steps.map((_, place) => edge(place)),
}

export const inputs: AnalysisInputs = {
  ...{ source_ids: null, target_ids: null, profile: 'criminal', horizon_days: 365, k: 10, order_by: 'probability' },
  ...{ max_overlap: null, costs: [], budget: null, blast_radius_of: null, what_if: [], worlds: 10_000 },
}
