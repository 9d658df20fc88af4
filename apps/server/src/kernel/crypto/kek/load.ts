/** Chooses where the key-encryption key comes from: the environment when it is set there, else a file. */
import { kekFromEnvironment } from './env.ts'
import { kekFromFile } from './file.ts'

export interface KekSources {
  /** 32 bytes in base64, or null. */
  readonly environment: string | null
  readonly file: string
}

/** @throws KeyRefused */
export async function loadKek(sources: KekSources): Promise<Uint8Array> {
  return sources.environment === null ? kekFromFile(sources.file) : kekFromEnvironment(sources.environment)
}
