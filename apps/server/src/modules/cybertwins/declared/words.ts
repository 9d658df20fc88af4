/** Words of the twin: kinds of assets and relations, states, profiles of attackers. */
export const assetKinds = [
  ...['host', 'container', 'service', 'network', 'identity', 'group', 'role', 'secret', 'data_store', 'software'],
  ...['vulnerability', 'model', 'agent', 'mcp_server', 'tool', 'prompt_source', 'vector_index', 'memory'],
  ...['guardrail', 'human', 'external'],
] as const
export type AssetKind = (typeof assetKinds)[number]

export const relationKinds = [
  ...['network_reach', 'exploits', 'authenticates_as', 'member_of', 'admin_of', 'runs_on', 'contains_secret'],
  ...['reads', 'writes', 'trusts', 'invokes_tool', 'serves_tool', 'feeds_content', 'retrieves_from', 'remembers'],
  ...['egress_to', 'approves', 'protects', 'depends_on'],
] as const
export type RelationKind = (typeof relationKinds)[number]

export const assetStatuses = ['discovered', 'active', 'stale', 'retired'] as const
export type AssetStatus = (typeof assetStatuses)[number]
export const exposures = ['internet', 'partner', 'internal', 'isolated'] as const
export const dataClasses = ['public', 'internal', 'confidential', 'restricted'] as const

/** States of VEX as CycloneDX names them. */
export const vexStates = [
  ...['exploitable', 'in_triage', 'not_affected', 'false_positive', 'resolved', 'resolved_with_pedigree'],
] as const
export type VexState = (typeof vexStates)[number]

export const attackerProfiles = ['opportunist', 'criminal', 'insider', 'apt'] as const
export type AttackerProfile = (typeof attackerProfiles)[number]

export const runStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const
export const importFormats = ['stix', 'cyclonedx', 'openvex', 'csv', 'platform'] as const
export type ImportFormat = (typeof importFormats)[number]
export const snapshotTriggers = ['manual', 'import', 'scheduled', 'analysis'] as const

/** Source of facts that people or clients write through the API. */
export const manualSource = 'manual'
/** Source of facts that are read from this installation. */
export const platformSource = 'platform'
