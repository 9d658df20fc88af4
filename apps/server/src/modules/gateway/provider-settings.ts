/** Which settings a kind of provider has; one that means nothing to it is refused, not kept. Tested in providers.test.ts. */
import { apiErrors } from '../../kernel/http/errors.ts'
import type { ProviderKind } from './providers/provider.ts'
import type { ProviderSettings } from './schemas/provider.ts'

type SettingName = keyof ProviderSettings

const taken: Readonly<Partial<Record<ProviderKind, readonly SettingName[]>>> = {
  azure_openai: ['deployment', 'api_version'],
}

/** @throws API-001 */
export function checkSettings(kind: ProviderKind, settings: ProviderSettings | undefined): void {
  const unknown = Object.keys(settings ?? {}).filter((name) => !taken[kind]?.some((known) => known === name))
  if (unknown.length === 0) return
  throw apiErrors
    .validation({ what: 'This kind of provider does not have these settings.' })
    .at(unknown.map((name) => ({ detail: 'Leave this out.', pointer: `/settings/${name}` })))
}
