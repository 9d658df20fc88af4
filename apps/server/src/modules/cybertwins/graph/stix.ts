/** A state as a bundle of STIX 2.1, without descriptions of people. Pure. Tested in attack-paths.test.ts. */
import type { TwinEdge, TwinNode, TwinState } from '../model/state.ts'

const objectTypes: Partial<Record<TwinNode['kind'], string>> = {
  identity: 'identity',
  group: 'identity',
  role: 'identity',
  human: 'identity',
  software: 'tool',
  tool: 'tool',
  vulnerability: 'vulnerability',
}

export interface BundleMoment {
  readonly id: string
  /** ISO 8601. */
  readonly at: string
}

/** Assets become infrastructure, identities, tools and vulnerabilities; relations keep their kind. */
export function stixBundle({ nodes, edges }: TwinState, { id, at }: BundleMoment): string {
  const typeOf = new Map(nodes.map((node) => [node.id, objectTypes[node.kind] ?? 'infrastructure']))
  const idOf = (node: string) => `${typeOf.get(node) ?? 'infrastructure'}--${node}`
  const stamps = { spec_version: '2.1', created: at, modified: at }
  const objects = [
    ...nodes.map((node) => ({ type: typeOf.get(node.id), id: idOf(node.id), ...stamps, ...partsOf(node) })),
    ...edges.map(({ id: edge, kind, from, to, p_override: p }: TwinEdge) => ({
      ...{ type: 'relationship', id: `relationship--${edge}`, ...stamps },
      ...{ relationship_type: kind.replaceAll('_', '-'), source_ref: idOf(from), target_ref: idOf(to) },
      ...(p === null ? {} : { x_parapet_probability: p }),
    })),
  ]
  return JSON.stringify({ type: 'bundle', id: `bundle--${id}`, objects })
}

function partsOf({ kind, name, criticality, crown_jewel, entry_point, exposure }: TwinNode) {
  const identity = kind === 'human' ? 'individual' : 'group'
  return {
    name,
    ...(objectTypes[kind] === 'identity' ? { identity_class: identity } : {}),
    ...{ x_parapet_kind: kind, x_parapet_criticality: criticality, x_parapet_crown_jewel: crown_jewel },
    ...{ x_parapet_entry_point: entry_point, x_parapet_exposure: exposure },
  }
}
