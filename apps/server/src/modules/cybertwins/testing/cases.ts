import type { ModuleCases } from '../../../../test/generated/module-cases.ts'
import { expectStatus, type TestTenant } from '../../../../test/support/world.ts'

const memberKinds = {
  near: 'asset_id',
  owner_id: 'user_id',
  source_ids: 'asset_id',
  target_ids: 'asset_id',
  source_id: 'asset_id',
  target_id: 'asset_id',
  start_id: 'asset_id',
  goal_id: 'asset_id',
  blast_radius_of: 'asset_id',
  root: 'asset_id',
  cancel: 'attack_path_id',
}

const assets = 'POST /api/v1/cybertwins/assets'
const asset = 'PATCH /api/v1/cybertwins/assets/{asset_id}'
const paths = 'POST /api/v1/cybertwins/attack-paths'
const campaigns = 'POST /api/v1/cybertwins/campaigns'

const bodies: ModuleCases['bodies'] = {
  [assets]: (n) => ({ assets: sample(`sample-${n}`) }),
  [asset]: (n) => ({ name: `Sample ${n}` }),
  'POST /api/v1/cybertwins/imports': (n) => ({
    ...{ format: 'csv', content: `kind,name,external_id\r\nhost,Sample ${n},sample-${n}` },
  }),
  'POST /api/v1/cybertwins/graphs': (n) => ({ label: `Sample ${n}` }),
  [paths]: (n) => ({ seed: String(n) }),
  [campaigns]: (n) => ({ name: `Sample ${n}`, steps: [{ name: 'One', probability: 0.5 }], runs: 100 }),
}

/** An entry point with a way to a crown jewel. */
const sample = (name: string) => [
  {
    ...{ kind: 'external', name: `${name} entry`, external_ids: [{ source: 'sample', id: `${name}/entry` }] },
    entry_point: true,
    relationships: [{ kind: 'network_reach', target: `sample:${name}/goal` }],
  },
  {
    ...{ kind: 'data_store', name: `${name} goal`, external_ids: [{ source: 'sample', id: `${name}/goal` }] },
    crown_jewel: true,
  },
]

let made = 0

async function addSample({ admin }: TestTenant) {
  made += 1
  // Imports have no path of their own, so their rows come along.
  const content = `kind,name,external_id\r\nhost,Found ${made},found-${made}`
  expectStatus(await admin.post('/cybertwins/imports', { format: 'csv', content }), 201)
  const answer = await admin.post('/cybertwins/assets', { assets: sample(`found-${made}`) })
  const [, goal] = answer.body.data?.items ?? []
  return { ...answer, body: { ...answer.body, data: { id: goal?.asset.id } } }
}

const found: ModuleCases['found'] = {
  asset_id: addSample,
  attack_path_id: async (tenant) => {
    await addSample(tenant)
    return tenant.admin.post('/cybertwins/attack-paths', {})
  },
}

const removed = (id: string) => ({ what_if: [{ op: 'remove_asset', asset_id: id }] })
const hardened = (id: string) => ({ what_if: [{ op: 'harden_relation', source_id: id, target_id: id }] })

const idPlaces: ModuleCases['idPlaces'] = {
  'GET /api/v1/cybertwins/assets query/id': { kind: 'asset_id', with: (id) => ({ id }) },
  // The sample of a graph is older than that of an asset.
  'GET /api/v1/cybertwins/graphs/{graph_id} query/root': {
    kind: 'asset_id',
    with: (id) => ({ root: id }),
    shows: false,
  },
  [`${paths} body/cancel`]: { kind: 'attack_path_id', with: (id) => ({ cancel: id }) },
  [`${campaigns} body/cancel`]: { kind: 'campaign_id', with: (id) => ({ cancel: id }) },
  'GET /api/v1/cybertwins/assets query/near': { kind: 'asset_id', with: (id) => ({ near: id }) },
  'GET /api/v1/cybertwins/assets query/agent_id': {
    kind: 'agent_id',
    with: (id) => ({ agent_id: id }),
    shows: false,
  },
  [`${assets} body/assets[]/owner_id`]: {
    kind: 'user_id',
    with: (id) => ({ assets: [{ kind: 'host', name: 'Owned', owner_id: id }] }),
  },
  [`${paths} body/source_ids[]`]: { kind: 'asset_id', with: (id) => ({ source_ids: [id] }) },
  [`${paths} body/target_ids[]`]: { kind: 'asset_id', with: (id) => ({ target_ids: [id] }) },
  [`${paths} body/costs[]/asset_id`]: { kind: 'asset_id', with: (id) => ({ costs: [{ asset_id: id, cost: 1 }] }) },
  [`${paths} body/what_if[]/asset_id`]: { kind: 'asset_id', with: removed },
  [`${paths} body/what_if[]/source_id`]: { kind: 'asset_id', with: hardened },
  [`${paths} body/what_if[]/target_id`]: { kind: 'asset_id', with: hardened },
}

const noIds = [
  // Free text, and names of columns.
  `${assets} body/assets[]/properties[]/value`,
  `${asset} body/properties[]/value`,
  'POST /api/v1/cybertwins/imports body/mapping/external_id',
  // Names of controls and of external ids, wherever they are kept.
  `${assets} body/assets[]/controls[]/control_id`,
  `${asset} body/controls[]/control_id`,
  `${assets} body/assets[]/external_ids[]/id`,
  // Names of vulnerabilities.
  `${assets} body/assets[]/vulnerabilities[]/id`,
  `${asset} body/vulnerabilities[]/id`,
]

/** Samples of this module for the suites over all routes. */
export const cases: ModuleCases = { memberKinds, bodies, found, idPlaces, noIds }
