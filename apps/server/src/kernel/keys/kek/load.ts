/**
 * Chooses the source of the key-encryption key: the environment when it is set there, else a key service where one is
 * named, else a file. The environment may also hold the key as wrapped by a service. An unreachable service delays the
 * start for seconds and then ends it with an explanation; a running process needs it no more. Tested in file.test.ts,
 * vault.test.ts and kms.test.ts.
 */
import { KeyRefused, keyFromBytes } from './check.ts'
import { kekFromEnvironment } from './env.ts'
import { kekFromFile, makeOnce, readKey, readText, replaceText } from './file.ts'
import { type KeyService, KeyServiceError } from './service.ts'

export interface KekSources {
  /** The key as 32 bytes in base64, or as wrapped by the key service; null if absent. */
  readonly environment: string | null
  /** The file of the key; with `.locked` after it, of the key as wrapped by the service. */
  readonly file: string
  readonly service: KeyService | null
}

export type KekState = 'kept' | 'missing' | 'another' | 'unreachable' | 'refused'

/** Where the key is, for those who look after it. */
export interface KekProvider {
  readonly name: 'environment' | 'file' | KeyService['name']
  /** Whether the next start would have the same key. */
  state(kek: Uint8Array): Promise<KekState>
  /** Has it locked under the newest version of the service's key; null where there is nothing to lock or no place for it. */
  readonly relock: ((kek: Uint8Array) => Promise<void>) | null
}

export interface LoadedKek {
  readonly kek: Uint8Array
  readonly provider: KekProvider
}

/** @throws KeyRefused */
export async function loadKek(sources: KekSources, pause: Pause = sleep): Promise<LoadedKek> {
  const { environment, file, service } = sources
  if (environment !== null) {
    const kek = await kekFromText(environment, service, pause)
    if (!isLocked(environment, service)) return { kek, provider: inEnvironment }
    return { kek, provider: { name: service.name, state: stateIn(service, async () => environment), relock: null } }
  }
  if (service === null) {
    const kek = await kekFromFile(file)
    return { kek, provider: { name: 'file', state: (key) => stateOf(file, key), relock: null } }
  }
  return inService(service, file, pause)
}

/** A key given as text: its bytes, or what the service has locked. @throws KeyRefused */
export async function kekFromText(text: string, service: KeyService | null, pause: Pause = sleep): Promise<Uint8Array> {
  if (isLocked(text, service)) return unlocked(service, text.trim(), pause)
  if (/^[a-z-]+:/.test(text)) throw new KeyRefused('was locked by a key service that is not set here.')
  return kekFromEnvironment(text)
}

const isLocked = (text: string, service: KeyService | null): service is KeyService =>
  service !== null && text.trim().startsWith(service.prefix)

const inEnvironment: KekProvider = { name: 'environment', state: async () => 'kept', relock: null }

/** Without it, or with another one, the next start could open nothing. */
async function stateOf(file: string, kek: Uint8Array): Promise<KekState> {
  const found = await readKey(file)
  if (found === null) return 'missing'
  return Buffer.from(found).equals(kek) ? 'kept' : 'another'
}

async function inService(service: KeyService, file: string, pause: Pause): Promise<LoadedKek> {
  const path = `${file}.locked`
  const locked = (await readText(path)) ?? (await makeLocked(service, { file, path, pause }))
  const relock = async (kek: Uint8Array): Promise<void> => {
    const present = await readText(path)
    if (present === null) throw new KeyServiceError(`there is no file ${path}`, { final: true })
    const anew = await service.relock(present)
    // A key that it cannot open again must not replace one that it opens.
    if (!Buffer.from(await service.unlock(anew)).equals(kek))
      throw new KeyServiceError('the key service gave back another key', { final: true })
    await replaceText(path, anew)
  }
  const state = stateIn(service, () => readText(path))
  return { kek: await unlocked(service, locked, pause), provider: { name: service.name, state, relock } }
}

interface Place {
  readonly file: string
  readonly path: string
  readonly pause: Pause
}

async function makeLocked(service: KeyService, { file, path, pause }: Place): Promise<string> {
  // With a second key nothing encrypted by the first would open.
  if ((await readText(file)) !== null)
    throw new KeyRefused(
      `is in the file ${file} and not with the key service. Set it as PARAPET_KEY_ENCRYPTION_KEY and one that the service has locked as PARAPET_NEXT_KEY_ENCRYPTION_KEY, and rotate it.`,
    )
  const { locked } = await patiently(() => service.make(), pause)
  return makeOnce(path, locked)
}

async function unlocked(service: KeyService, locked: string, pause: Pause): Promise<Uint8Array> {
  return keyFromBytes(await patiently(() => service.unlock(locked), pause))
}

function stateIn(service: KeyService, locked: () => Promise<string | null>): KekProvider['state'] {
  return async (kek) => {
    const text = await locked()
    if (text === null) return 'missing'
    try {
      return Buffer.from(await service.unlock(text)).equals(kek) ? 'kept' : 'another'
    } catch (error) {
      if (error instanceof KeyServiceError) return error.final ? 'refused' : 'unreachable'
      throw error
    }
  }
}

/** Waits so many milliseconds. */
export type Pause = (ms: number) => Promise<void>

const sleep: Pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Milliseconds between the attempts, of which there is one more. */
const pauses = [1_000, 2_000, 4_000]

/** @throws KeyRefused */
async function patiently<T>(ask: () => Promise<T>, pause: Pause): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof KeyServiceError)) throw error
      const wait = pauses[attempt]
      if (error.final || wait === undefined) throw new KeyRefused(`cannot be had: ${error.message}.`, error)
      await pause(wait)
    }
  }
}
