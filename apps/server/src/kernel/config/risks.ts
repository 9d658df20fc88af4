/**
 * Combinations of valid settings that refuse the start: the server would serve others without TLS, take all of them
 * for one, work past row-level security, live in another time, tell its log too much, or keep secrets that others know.
 * Each can be accepted by its word. Loopback servers, which nobody else reaches, may do as they like, but for the clock.
 * Tested in risks.test.ts and guessable.test.ts.
 */
import { guessable } from './guessable.ts'
import type { Config } from './load.ts'
import { servesOthers } from './serves-others.ts'

/** The words by which an operator says that it is meant. */
export const risks = ['http', 'proxy', 'login', 'clock', 'debug', 'secrets', 'files'] as const
export type Risk = (typeof risks)[number]

export interface FoundRisk {
  readonly risk: Risk
  readonly what: string
}

type Settings = Pick<Config, 'host' | 'publicUrl' | 'trustedProxies' | 'acceptedRisks'>

/** Risks in the settings themselves. This server speaks no TLS, so https is a proxy's in front of it. */
export function configRisks(config: Config): readonly FoundRisk[] {
  if (!servesOthers(config)) return []
  return [...wayRisks(config), ...logRisks(config), ...guessable(config)]
}

function wayRisks(config: Settings): readonly FoundRisk[] {
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

/** Lines of those levels hold statements and libraries' own messages, which have not all been reviewed. */
function logRisks({ logLevel }: Pick<Config, 'logLevel'>): readonly FoundRisk[] {
  if (logLevel !== 'trace' && logLevel !== 'debug') return []
  const what = `PARAPET_LOG_LEVEL: ${logLevel} is for finding faults, and tells whoever reads the log more than they need. Set info.`
  return [{ risk: 'debug', what }]
}

/** @throws Error that names all that is not accepted, and how it would be */
export function refuseRisks({ acceptedRisks }: Pick<Settings, 'acceptedRisks'>, found: readonly FoundRisk[]): void {
  const refused = found.filter(({ risk }) => !acceptedRisks.includes(risk))
  if (refused.length === 0) return
  const lines = refused.map(({ risk, what }) => `  ${what} To start all the same: PARAPET_ACCEPTED_RISKS=${risk}`)
  throw new Error(`The configuration is not safe:\n${lines.join('\n')}`)
}
