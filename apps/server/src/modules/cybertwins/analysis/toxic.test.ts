import { expect, test } from 'vitest'
import type { TwinEdge, TwinState } from '../model/state.ts'
import { edge, idOf, node, smallEstate } from '../testing/small-estate.ts'
import { toxicCombinations } from './toxic.ts'

const relation = (id: string, over: Partial<TwinEdge>): TwinEdge => edge(0, { id, ...over })
const with_ = (...edges: readonly TwinEdge[]): TwinState => ({
  ...smallEstate,
  edges: [...smallEstate.edges, ...edges],
})
const rules = (state: TwinState) => toxicCombinations(state).map(({ rule, asset }) => `${rule} ${asset.name}`)

test('an agent with content of others, private data and a way out is one, and not before it has all three', () => {
  expect(rules(smallEstate)).toEqual(['agent_holds_secret A'])
  const out = relation('out', { from: idOf('T'), to: idOf('I'), kind: 'egress_to' })
  expect(toxicCombinations(with_(out))).toContainEqual(
    expect.objectContaining({ rule: 'untrusted_content_private_data_egress', severity: 'critical' }),
  )
})

test('a destructive tool is one until somebody approves its calls', () => {
  const nodes = smallEstate.nodes.map((one) => (one.name === 'T' ? node('T', { capability: 'destructive' }) : one))
  expect(rules({ ...smallEstate, nodes })).toContain('destructive_tool_without_approval T')
  const approved = with_(relation('ok', { from: idOf('W'), to: idOf('T'), kind: 'approves' }))
  expect(rules({ ...approved, nodes })).not.toContain('destructive_tool_without_approval T')
})

test('a tool that changes tools, and a model that others write, are some', () => {
  const nodes = smallEstate.nodes.map((one) => {
    if (one.name === 'W') return node('W', { kind: 'mcp_server' })
    return one.name === 'V' ? node('V', { kind: 'model' }) : one
  })
  const writes = [
    relation('a', { from: idOf('W'), to: idOf('T'), kind: 'writes' }),
    relation('b', { from: idOf('H'), to: idOf('V'), kind: 'writes' }),
  ]
  expect(rules({ ...with_(...writes), nodes })).toEqual(
    expect.arrayContaining(['server_writes_tool W', 'model_writable V']),
  )
})
