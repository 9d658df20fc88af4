/** Services of the running platform, from its live configuration. Pure. Tested in platform-map.test.ts. */
import type { Kernel } from '../../../kernel/kernel.ts'
import type { ServiceBody } from '../declared/model-schema.ts'

interface ProvidersFact {
  readonly providers: readonly {
    readonly name: string
    readonly status: string
    readonly offline: boolean
  }[]
}

export const databaseKey = 'database'
export const gatewayKey = 'gateway'

/** The key of a provider's service. */
export const providerKey = (name: string): string =>
  `provider-${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')}`.slice(0, 63)

/** Services with their dependencies. Undeclared laws, recoveries and objectives are left for people to set. */
export function platformMap({ config }: Pick<Kernel, 'config'>, { providers }: ProvidersFact): readonly ServiceBody[] {
  const asked = providers.filter(({ status, offline }) => status === 'enabled' && !offline)
  const cache = config.valkeyUrl === null ? [] : ['cache']
  const bus = config.natsUrl === null ? [] : ['bus']
  return [
    part(databaseKey, 'Database', 5),
    ...cache.map((key) => part(key, 'Cache', 3)),
    ...bus.map((key) => part(key, 'Message bus', 3)),
    ...asked.map(
      ({ name }): ServiceBody => ({ ...part(providerKey(name), `Provider ${name}`, 4), kind: 'external_provider' }),
    ),
    {
      ...{ key: gatewayKey, name: 'AI gateway', kind: 'application', criticality: 5 },
      dependencies: [
        { target: databaseKey, type: 'hard' },
        ...[...cache, ...bus].map((target) => ({ target, type: 'soft' as const })),
        ...asked.map(({ name }) => ({ target: providerKey(name), type: 'k_of_n' as const, group: 'providers', k: 1 })),
      ],
    },
  ]
}

const part = (key: string, name: string, criticality: number): ServiceBody => ({
  key,
  name,
  kind: 'component',
  criticality,
})
