/**
 * What a server is not started with although each setting is good: it would serve others without TLS, take all of them
 * for one, work past row-level security, or live in another time. Each can be accepted by its word. Loopback servers,
 * which nobody else reaches, may do as they like, but for the clock. Tested in risks.test.ts.
 */
import type { Config } from './load.ts'

/** The words by which an operator says that it is meant. */
export const risks = ['http', 'proxy', 'login', 'clock'] as const
export type Risk = (typeof risks)[number]

export interface FoundRisk {
  readonly risk: Risk
  readonly what: string
}

type Settings = Pick<Config, 'host' | 'publicUrl' | 'trustedProxies' | 'acceptedRisks'>

/** Whether others than this machine are served, as far as the settings tell. */
export function servesOthers({ host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>): boolean {
  return !isLoopback(host) || !isLoopback(new URL(publicUrl).hostname)
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || /^(?:127\.[\d.]+|\[?::1\]?)$/.test(host)

/** What the settings themselves say. This server speaks no TLS, so https is a proxy's in front of it. */
export function configRisks(config: Settings): readonly FoundRisk[] {
  if (!servesOthers(config)) return []
  const secure = config.publicUrl.startsWith('https:')
  return [
    ...(secure
      ? []
      : [
          {
            risk: 'http' as const,
            what: `PARAPET_PUBLIC_URL: clients would use ${config.publicUrl}, so passwords and keys travel in clear. Put TLS in front and set the https address.`,
          },
        ]),
    ...(secure && config.trustedProxies.length === 0
      ? [
          {
            risk: 'proxy' as const,
            what: 'PARAPET_TRUSTED_PROXIES: TLS ends in front of this server, and without the address of what ends it every client has that one address: limits and networks of keys would hold for all together.',
          },
        ]
      : []),
  ]
}

/** @throws Error that names all that is not accepted, and how it would be */
export function refuseRisks({ acceptedRisks }: Pick<Settings, 'acceptedRisks'>, found: readonly FoundRisk[]): void {
  const refused = found.filter(({ risk }) => !acceptedRisks.includes(risk))
  if (refused.length === 0) return
  const lines = refused.map(({ risk, what }) => `  ${what} To start all the same: PARAPET_ACCEPTED_RISKS=${risk}`)
  throw new Error(`The configuration is not safe:\n${lines.join('\n')}`)
}
