/** The key-encryption keys as the settings of the start name them. */

import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../config/load.ts'
import { metadataEgress } from '../../egress/metadata-egress.ts'
import { operatorEgress } from '../../egress/operator-egress.ts'
import { serviceOf } from './configured.ts'
import { kekFromText, type LoadedKek, loadKek } from './load.ts'

export interface OpenedKeys extends LoadedKek {
  /** The one that replaces it, where one is set. */
  readonly nextKek: Uint8Array | null
  close(): Promise<void>
}

/** @throws KeyRefused */
export async function openKeys(config: Config, clock: Pick<Clock, 'monotonic' | 'now'>): Promise<OpenedKeys> {
  const [egress, metadata] = [operatorEgress(config, clock), metadataEgress(clock)]
  const close = async (): Promise<void> => void (await Promise.all([egress.close(), metadata.close()]))
  try {
    const service = serviceOf(config, { egress, metadata, clock })
    const file = join(config.dataDir, 'keys', 'kek')
    const loaded = await loadKek({ environment: config.keyEncryptionKey, file, service })
    const { nextKeyEncryptionKey: next } = config
    const nextKek = next === null ? null : await kekFromText(next, service)
    return { ...loaded, nextKek, close }
  } catch (error) {
    await close()
    throw error
  }
}
