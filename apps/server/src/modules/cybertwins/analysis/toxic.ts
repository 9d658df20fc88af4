/**
 * Combinations that are dangerous whatever their probability: an agent that reads content of others, reaches data and can
 * send; tools that destroy or pay without an approval; what can change tools or models. Pure. Tested in toxic.test.ts.
 */
import type { Toxic } from '../declared/analysis-schema.ts'
import type { RelationKind } from '../declared/words.ts'
import type { TwinNode, TwinState } from '../model/state.ts'
import { refOf } from './refs.ts'

interface Links {
  readonly nodes: readonly TwinNode[]
  /** Nodes at the other end of relations of these kinds. */
  readonly out: (node: TwinNode, ...kinds: readonly RelationKind[]) => readonly TwinNode[]
  readonly into: (node: TwinNode, ...kinds: readonly RelationKind[]) => readonly TwinNode[]
}

const mostFound = 100

export function toxicCombinations(state: TwinState): readonly Toxic[] {
  const links = linksOf(state)
  const rules = [trifecta, destructiveTools, writingServers, writableModels, heldSecrets]
  return rules.flatMap((rule) => rule(links)).slice(0, mostFound)
}

function linksOf({ nodes, edges }: TwinState): Links {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const from = new Map<string, { kind: RelationKind; node: TwinNode }[]>()
  const to = new Map<string, { kind: RelationKind; node: TwinNode }[]>()
  const add = (map: typeof from, key: string, kind: RelationKind, node: TwinNode | undefined) => {
    if (node === undefined) return
    const known = map.get(key)
    if (known === undefined) map.set(key, [{ kind, node }])
    else known.push({ kind, node })
  }
  for (const edge of edges) {
    add(from, edge.from, edge.kind, byId.get(edge.to))
    add(to, edge.to, edge.kind, byId.get(edge.from))
  }
  const picked = (map: typeof from, { id }: TwinNode, kinds: readonly RelationKind[]) =>
    (map.get(id) ?? []).filter(({ kind }) => kinds.includes(kind)).map(({ node }) => node)
  return {
    nodes,
    out: (node, ...kinds) => picked(from, node, kinds),
    into: (node, ...kinds) => picked(to, node, kinds),
  }
}

const agents = ({ nodes }: Links) => nodes.filter(({ kind }) => kind === 'agent')

function trifecta(links: Links): Toxic[] {
  return agents(links).flatMap((agent) => {
    const [content] = links.into(agent, 'feeds_content', 'retrieves_from')
    const tools = links.out(agent, 'invokes_tool')
    const near = [agent, ...tools]
    const [data] = near.flatMap((node) => links.out(node, 'reads')).filter(({ kind }) => kind === 'data_store')
    const [outside] = near.flatMap((node) => links.out(node, 'egress_to'))
    if (content === undefined || data === undefined || outside === undefined) return []
    return [
      {
        rule: 'untrusted_content_private_data_egress' as const,
        severity: data.crown_jewel ? ('critical' as const) : ('high' as const),
        asset: refOf(agent),
        because: [content, data, outside].map(refOf),
        advice: 'Take one of the three away: the content, the data, or the way out.',
      },
    ]
  })
}

const dangerous: ReadonlySet<string> = new Set(['destructive', 'payment', 'code_exec'])

function destructiveTools(links: Links): Toxic[] {
  return links.nodes
    .filter(({ kind, capability }) => kind === 'tool' && capability !== null && dangerous.has(capability))
    .filter((tool) => links.into(tool, 'approves').length === 0)
    .filter((tool) => links.into(tool, 'invokes_tool').length > 0)
    .map((tool) => ({
      rule: 'destructive_tool_without_approval' as const,
      severity: 'high' as const,
      asset: refOf(tool),
      because: links.into(tool, 'invokes_tool').slice(0, 10).map(refOf),
      advice: 'Require an approval of its calls by a person.',
    }))
}

function writingServers(links: Links): Toxic[] {
  return links.nodes
    .filter(({ kind }) => kind === 'mcp_server' || kind === 'tool')
    .flatMap((server) => {
      const changed = links.out(server, 'writes').filter(({ kind }) => kind === 'tool' || kind === 'mcp_server')
      if (changed.length === 0) return []
      return [
        {
          rule: 'server_writes_tool' as const,
          severity: 'critical' as const,
          asset: refOf(server),
          because: changed.slice(0, 10).map(refOf),
          advice: 'Pin the definitions of tools, and take the right to change them away.',
        },
      ]
    })
}

function writableModels(links: Links): Toxic[] {
  return links.nodes
    .filter(({ kind }) => kind === 'model')
    .flatMap((model) => {
      const writers = links.into(model, 'writes').filter(({ kind }) => kind !== 'model')
      if (writers.length === 0) return []
      return [
        {
          rule: 'model_writable' as const,
          severity: 'high' as const,
          asset: refOf(model),
          because: writers.slice(0, 10).map(refOf),
          advice: 'Sign the weights, and let nothing but the release process write them.',
        },
      ]
    })
}

function heldSecrets(links: Links): Toxic[] {
  return agents(links).flatMap((agent) => {
    const secrets = links.out(agent, 'contains_secret')
    const [content] = links.into(agent, 'feeds_content', 'retrieves_from')
    if (secrets.length === 0 || content === undefined) return []
    return [
      {
        rule: 'agent_holds_secret' as const,
        severity: 'high' as const,
        asset: refOf(agent),
        because: [content, ...secrets.slice(0, 9)].map(refOf),
        advice: 'Let a broker use the secret, so that the model never sees it.',
      },
    ]
  })
}
