/**
 * The twin of this installation: agents with their tools, data, models and guardrails, people who administer, service
 * accounts with their keys, and providers. It reads facts of the modules with the rights of whoever asks; a module that
 * may not be read is named as left out. Tested in imports.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { FactCaller } from '../../../kernel/facts/facts.ts'
import type { TwinContent } from '../assets/content.ts'
import type { Skipped } from '../declared/relation-schema.ts'
import type { TwinServices } from '../services/twin-services.ts'
import { type PlatformFacts, platformContent } from './content.ts'
import { readAgents, readAttacks, readKeys, readPrivileged, readProviders } from './facts.ts'

type Data = Readonly<Record<string, unknown>>

export async function readPlatform(
  { facts, kernel }: Pick<TwinServices, 'facts' | 'kernel'>,
  tx: Tx,
  caller: FactCaller,
): Promise<TwinContent> {
  const skipped: Skipped[] = []
  const read = async (name: string, query: Data = {}): Promise<Data | null> => {
    try {
      return (await facts().read(tx, name, { caller, query })).data
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      skipped.push({ pointer: `/platform/${name}`, reason: error.message })
      return null
    }
  }
  const found: PlatformFacts = {
    agents: readAgents(await read('aegis.agents')),
    attacks: readAttacks(await read('gateway.attacks', { days: 30 }), kernel.clock.iso()),
    providers: readProviders(await read('gateway.providers')),
    accounts: readKeys(await read('iam.agents')),
    administrators: readPrivileged(await read('iam.privileged_accounts')),
  }
  return { ...platformContent(found), skipped }
}
