/** Difference of two states. Reversed states give the reversed difference. Pure. Tested in diff.test.ts. */
import type { GraphDiff } from '../declared/graph-schema.ts'
import type { TwinEdge, TwinNode, TwinState } from '../model/state.ts'

const mostListed = 1_000

/** @param against name of the earlier state */
export function diffOf(before: TwinState, after: TwinState, against: string): GraphDiff {
  const nodes = compared(before.nodes, after.nodes)
  const edges = compared(before.edges, after.edges)
  const lists = [...Object.values(nodes), ...Object.values(edges)]
  return {
    against,
    nodes: shown(nodes, ({ id, kind, name }: TwinNode) => ({ id, kind, name })),
    edges: shown(edges, ({ id, from, to, kind }: TwinEdge) => ({ id, from, to, kind })),
    truncated: lists.some((list) => list.length > mostListed),
    counts: {
      ...{ nodes_added: nodes.added.length, nodes_removed: nodes.removed.length, nodes_changed: nodes.changed.length },
      ...{ edges_added: edges.added.length, edges_removed: edges.removed.length, edges_changed: edges.changed.length },
    },
  }
}

interface Lists<Item> {
  readonly added: readonly Item[]
  readonly removed: readonly Item[]
  readonly changed: readonly Item[]
}

function compared<Item extends { readonly id: string }>(before: readonly Item[], after: readonly Item[]): Lists<Item> {
  const [known, present] = [new Map(before.map((one) => [one.id, one])), new Set(after.map(({ id }) => id))]
  return {
    added: after.filter(({ id }) => !known.has(id)),
    removed: before.filter(({ id }) => !present.has(id)),
    changed: after.filter((one) => {
      const earlier = known.get(one.id)
      return earlier !== undefined && partsOf(earlier) !== partsOf(one)
    }),
  }
}

const partsOf = (item: object): string => JSON.stringify(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))

function shown<Item, View>({ added, removed, changed }: Lists<Item>, view: (item: Item) => View) {
  const listed = (items: readonly Item[]) => items.slice(0, mostListed).map(view)
  return { added: listed(added), removed: listed(removed), changed: listed(changed) }
}
