import { expect, test } from 'vitest'
import { askedKeeping, askedPlaces, placeOfProfile } from './asked-places.ts'
import { emptyCall, type OpaqueTool, type VendorForm } from './call.ts'

const form: VendorForm = 'anthropic_messages'
const extra = (at: string, value: unknown) => ({ ...emptyCall, extra: [{ at, value, form }] })
const tool = (value: Readonly<Record<string, unknown>>) => {
  const opaque: OpaqueTool = { kind: 'opaque', name: 'x', form: 'openai_responses', value }
  return { ...emptyCall, tools: [opaque] }
}

test.each([
  ['us', ['US']],
  ['eu', ['EU']],
  ['DE', ['DE']],
  ['global', []],
  ['moon base', []],
  [{ any: 'de' }, []],
  [['us'], []],
])('a model that is to run in %j is one of %j', (geo, regions) => {
  expect(askedPlaces(extra('/inference_geo', geo))).toEqual([{ at: '/inference_geo', regions }])
})

test('a place that is chosen for another model is one too', () => {
  const fallbacks = [{ model: 'a', inference_geo: 'us' }, { model: 'b', inference_geo: null }, { model: 'c' }]
  expect(askedPlaces(extra('/fallbacks', fallbacks))).toEqual([{ at: '/fallbacks', regions: ['US'] }])
})

const server = { type: 'url', name: 'notes', url: 'https://tools.example.org' }

test.each([
  ['servers of tools', extra('/mcp_servers', [server]), '/mcp_servers/0'],
  ['a server in the list of tools', tool({ type: 'mcp', server_url: 'https://tools.example.org' }), '/tools/0'],
  ['a connector', tool({ type: 'mcp', connector_id: 'connector_dropbox' }), '/tools/0'],
  ['sources to answer from', extra('/data_sources', [{ type: 'azure_search' }]), '/data_sources'],
  ['a choice among providers', extra('/provider', { order: ['a'] }), '/provider'],
])('nobody knows where %s are, nor what is kept there', (_what, call, at) => {
  expect(askedPlaces(call)).toEqual([{ at, regions: [] }])
  expect(askedKeeping(call)).toEqual([at])
})

test.each([
  ['nothing', emptyCall],
  ['the vendor’s own search', tool({ type: 'web_search', user_location: { country: 'US' } })],
  ['a prompt kept in memory', extra('/prompt_cache_retention', 'in_memory')],
  ['a word to the model', extra('/output_config/other', 'inference_geo')],
])('%s chooses no place and keeps nothing', (_what, call) => {
  expect([askedPlaces(call), askedKeeping(call)]).toEqual([[], []])
})

test.each([
  ['a prompt kept for a day', extra('/prompt_cache_retention', '24h'), '/prompt_cache_retention'],
  ['a container', extra('/container', { id: 'c' }), '/container'],
])('%s is kept by the vendor', (_what, call, at) => {
  expect(askedKeeping(call)).toEqual([at])
})

test.each([
  ['anthropic.claude-sonnet-4-v1:0', null],
  ['amazon.nova-pro-v1:0', null],
  ['eu.anthropic.claude-sonnet-4-v1:0', ['EU']],
  ['us.amazon.nova-pro-v1:0', ['US']],
  ['global.anthropic.claude-sonnet-4-v1:0', []],
  ['apac.amazon.nova-pro-v1:0', []],
  ['arn:aws:bedrock:eu-west-1:123456789012:inference-profile/us.meta.llama3-1-8b-instruct-v1:0', ['US']],
  ['arn:aws:bedrock:eu-west-1::foundation-model/amazon.nova-pro-v1:0', null],
])('AWS runs %s in %j', (model, regions) => expect(placeOfProfile(model)).toEqual(regions))
