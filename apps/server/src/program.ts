/**
 * The whole program as one value: database prepared, kernel assembled, loops running, HTTP built. The server, the demo
 * and the whole-system tests start it here and differ only in what they hand in. Tested by everything in test/.
 */
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { openAdapters, openDriver } from './kernel/assembly/adapters.ts'
import { type Assembled, assemble } from './kernel/assembly/assemble.ts'
import { schemaOf } from './kernel/assembly/schema.ts'
import { settingsOf } from './kernel/assembly/settings.ts'
import { replacedTopic } from './kernel/backup/replace.ts'
import { type Clock, systemClock } from './kernel/base/clock.ts'
import { fileRisks } from './kernel/config/guessable.ts'
import { type Config, secretsOf } from './kernel/config/load.ts'
import { configRisks, refuseRisks } from './kernel/config/risks.ts'
import { checkRole } from './kernel/config/roles.ts'
import { createRandom } from './kernel/crypto/random.ts'
import type { Driver } from './kernel/db/port.ts'
import { prepareDatabase } from './kernel/db/schema/prepare.ts'
import { databaseRisks } from './kernel/db/schema/risks.ts'
import { proxyCheck, proxyInWords } from './kernel/egress/proxy-health.ts'
import { busCheck } from './kernel/health/bus.ts'
import { healthPort } from './kernel/health/checks.ts'
import type { Patience } from './kernel/http/patience.ts'
import type { Kernel } from './kernel/kernel.ts'
import { kekCheck } from './kernel/keys/kek/health.ts'
import { openKeys } from './kernel/keys/kek/open.ts'
import { readRoot } from './kernel/keys/root.ts'
import type { Module } from './kernel/module/module.ts'
import { fill, type PortFilling } from './kernel/module/ports/port.ts'
import { type AccessLog, createAccessLog } from './kernel/observe/access-log.ts'
import { createLiveSecrets } from './kernel/observe/live-secrets.ts'
import { createLogger, type Logger } from './kernel/observe/log.ts'
import { readSettingsFile } from './kernel/settings/file.ts'
import { modules as allModules } from './modules.ts'
import { type StartStep, silentStep } from './start-steps.ts'
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
  /** Refuses what is unsafe before anything is changed; for servers, which others reach. */
  readonly refuseRisks?: boolean
  readonly modules?: readonly Module[]
  readonly patience?: Patience
  /** Folder of the built console. */
  readonly console?: string | undefined
  /** The file threads start with, where modules of a caller's own have tasks; default the program's. */
  readonly threadEntry?: URL
  /** Runs the parts of a start that take time; default says nothing. */
  readonly step?: StartStep
}

export interface Program {
  readonly app: FastifyInstance
  readonly assembled: Assembled
  readonly log: Logger
  /** Settles when a backup has taken the place of the data: what this program holds is of another state, so it has to end. */
  readonly replaced: Promise<void>
  /** Sends everyone away, finishes what is running and closes everything. */
  stop(): Promise<void>
}

/** @throws Error with words for the operator; nothing is left running then. */
export async function startProgram(input: ProgramInput): Promise<Program> {
  const { config, modules = allModules, step = silentStep } = input
  checkRole(config)
  const clock = input.clock ?? systemClock()
  const liveSecrets = createLiveSecrets()
  for (const secret of secretsOf(config)) liveSecrets.add(secret)
  const log = input.log ?? createLogger({ level: config.logLevel, now: clock.now, secrets: liveSecrets })
  const keys = await openKeys(config, clock)
  const { kek, nextKek } = keys
  const fileValues = readSettingsFile(config.settingsFile, settingsOf(modules))
  const driver = input.driver ?? (await step(openingDatabase(config), () => openDriver(config)))
  const random = createRandom(clock.now)
  const schema = schemaOf(modules)
  let root: Uint8Array
  try {
    if (input.refuseRisks === true)
      refuseRisks(config, [
        ...configRisks(config),
        ...(await fileRisks(config)),
        ...(await databaseRisks(driver, config, clock)),
      ])
    const applied = await step('Checking and migrating the schema', () => prepareDatabase(driver, clock, schema))
    if (applied.length > 0) log.info({ migrations: applied.length }, 'database prepared')
    root = await readRoot(driver, { kek, nextKek, random })
  } catch (error) {
    await Promise.all([driver.close(), keys.close()])
    throw error
  }
  const adapters = await orClose([() => driver.close(), keys.close], () => openAdapters(driver, { config, clock, log }))
  const assembled = await orClose([() => adapters.close(), () => driver.close(), keys.close], () =>
    assemble({
      config,
      clock,
      random,
      log,
      liveSecrets,
      adapters,
      kek,
      nextKek,
      kekProvider: keys.provider,
      root,
      schema,
      modules,
      fileValues,
      threadEntry: input.threadEntry ?? threadEntry,
      fills: [
        fill(healthPort, ({ db }) => kekCheck({ ...keys, random, db })),
        fill(healthPort, () => busCheck(adapters.bus, config.natsUrl === null ? 'memory' : 'nats')),
        ...proxyHealth(config),
      ],
      checkEvents: input.checkEvents ?? false,
    }),
  )
  if (config.egressProxy !== null)
    log.info({ egress_proxy: proxyInWords(config) }, 'calls to the outside go through a proxy')
  const accessLog = input.accessLog ?? (config.accessLog ? createAccessLog({ now: clock.iso }) : null)
  const app = buildApp(assembled, modules, { accessLog, console: input.console, patience: input.patience })
  const replaced = new Promise<void>((resolve) => assembled.kernel.live.on(replacedTopic, () => resolve()))
  await step('Starting the modules', () => assembled.lifecycle.start())
  return {
    app,
    assembled,
    log,
    replaced,
    stop: async () => {
      await app.close()
      // Calls go on without their client where somebody will have the answer.
      await assembled.kernel.stopping.settled
      await assembled.lifecycle.stop()
      await keys.close()
      accessLog?.close()
    },
  }
}

function openingDatabase({ databaseUrl }: Config): string {
  return databaseUrl === null ? 'Opening the embedded database' : 'Connecting to PostgreSQL'
}

function proxyHealth(config: Config): readonly PortFilling<Kernel>[] {
  return config.egressProxy === null ? [] : [fill(healthPort, ({ egress }) => proxyCheck(config, egress))]
}

/** A file an operator names may be wrong in a way only its module sees; what is open then would keep the process. */
async function orClose<T>(open: readonly (() => Promise<void>)[], make: () => T): Promise<T> {
  try {
    return make()
  } catch (error) {
    for (const close of open) await close()
    throw error
  }
}
