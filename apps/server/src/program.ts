/**
 * The whole program as one value: database prepared, kernel assembled, loops running, HTTP built. The server, the demo
 * and the whole-system tests start it here and differ only in what they hand in. Tested by everything in test/.
 */
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { openAdapters, openDriver } from './kernel/adapters.ts'
import { type Assembled, assemble } from './kernel/assemble.ts'
import { systemClock } from './kernel/clock.ts'
import type { Config } from './kernel/config/load.ts'
import { kekFromEnvironment } from './kernel/crypto/kek/env.ts'
import { loadKek } from './kernel/crypto/kek/load.ts'
import { createRandom } from './kernel/crypto/random.ts'
import { readRoot } from './kernel/crypto/root.ts'
import type { Driver } from './kernel/db/port.ts'
import { prepareDatabase } from './kernel/db/prepare.ts'
import type { Clock } from './kernel/kernel.ts'
import type { Module } from './kernel/module.ts'
import { type AccessLog, createAccessLog } from './kernel/observe/access-log.ts'
import { createLogger, type Logger } from './kernel/observe/log.ts'
import { schemaOf } from './kernel/schema.ts'
import { modules as allModules } from './modules.ts'
import { threadEntry } from './thread-entry.ts'

export interface ProgramInput {
  readonly config: Config
  readonly clock?: Clock
  readonly log?: Logger
  /** Default is standard output, where the configuration wants one. */
  readonly accessLog?: AccessLog
  /** An open database; default is the one the configuration names. */
  readonly driver?: Driver
  readonly checkEvents?: boolean
  readonly modules?: readonly Module[]
}

export interface Program {
  readonly app: FastifyInstance
  readonly assembled: Assembled
  readonly log: Logger
  /** Sends everyone away, finishes what is running and closes everything. */
  stop(): Promise<void>
}

/** @throws Error with words for the operator; nothing is left running then. */
export async function startProgram(input: ProgramInput): Promise<Program> {
  const { config, modules = allModules } = input
  const clock = input.clock ?? systemClock()
  const log = input.log ?? createLogger({ level: config.logLevel, now: clock.now })
  const kek = await loadKek({ environment: config.keyEncryptionKey, file: join(config.dataDir, 'keys', 'kek') })
  const nextKek = config.nextKeyEncryptionKey === null ? null : kekFromEnvironment(config.nextKeyEncryptionKey)
  const driver = input.driver ?? (await openDriver(config))
  const random = createRandom(clock.now)
  const schema = schemaOf(modules)
  let root: Uint8Array
  try {
    const applied = await prepareDatabase(driver, clock, schema)
    if (applied.length > 0) log.info({ migrations: applied.length }, 'database prepared')
    root = await readRoot(driver, { kek, nextKek, random })
  } catch (error) {
    await driver.close()
    throw error
  }
  const adapters = openAdapters(driver, { config, clock, log })
  const assembled = assemble({
    config,
    clock,
    random,
    log,
    adapters,
    kek,
    nextKek,
    root,
    schema,
    modules,
    threadEntry,
    checkEvents: input.checkEvents ?? false,
  })
  const accessLog = input.accessLog ?? (config.accessLog ? createAccessLog({ now: clock.iso }) : null)
  const app = buildApp(assembled, modules, accessLog)
  await assembled.lifecycle.start()
  return {
    app,
    assembled,
    log,
    stop: async () => {
      await app.close()
      await assembled.lifecycle.stop()
      accessLog?.close()
    },
  }
}
