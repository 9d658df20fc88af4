/**
 * Which settings a kind of provider has and needs; one that means nothing to it is refused, not kept. Tested in
 * provider-kinds.test.ts.
 */
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { adapterOf } from '../providers/vendors/registry.ts'
import type { ProviderSettings } from '../schemas/provider.ts'
import type { ProviderKind } from '../words/provider-kinds.ts'

type SettingName = keyof ProviderSettings

const taken: Readonly<Partial<Record<ProviderKind, readonly SettingName[]>>> = {
  azure_openai: ['deployment', 'api_version'],
  openai: ['organization', 'project'],
  google_vertex: ['project', 'region'],
  aws_bedrock: ['region'],
}

/** @throws API-001 */
export function checkSettings(kind: ProviderKind, settings: ProviderSettings): void {
  const unknown = Object.keys(settings).filter((name) => !taken[kind]?.some((known) => known === name))
  if (unknown.length > 0)
    throw apiErrors
      .validation({ what: 'This kind of provider does not have these settings.' })
      .at(unknown.map((name) => ({ detail: 'Leave this out.', pointer: `/settings/${name}` })))
  const missing = needed(kind).filter((name) => settings[name] === undefined)
  if (missing.length === 0) return
  throw apiErrors
    .validation({ what: 'This kind of provider cannot be asked without these settings.' })
    .at(missing.map((name) => ({ detail: 'This field is required.', pointer: `/settings/${name}` })))
}

function needed(kind: ProviderKind): readonly SettingName[] {
  const adapter = adapterOf(kind)
  return adapter.over === 'network' ? (adapter.needs ?? []) : []
}
