/** `npm start`: reads the settings, starts the program, listens, and stops cleanly on SIGTERM and SIGINT. */
import { readFile, stat } from 'node:fs/promises'
import { removeProtoAccessor } from './kernel/base/harden.ts'
import { type Config, explainConfig, loadConfig } from './kernel/config/load.ts'
import { dutiesOf, withRole } from './kernel/config/roles.ts'
import { type Listening, listen } from './listen.ts'
import { bootstrapUnattended } from './modules/iam/bootstrap/bootstrap.ts'
import { sampleForPassword } from './modules/iam/passwords/policy.ts'
import type { IamServices } from './modules/iam/services/iam-services.ts'
import { builtConsole } from './pages/console.ts'
import { type Program, startProgram } from './program.ts'
import { restore } from './restore.ts'
import { stepsOnScreen } from './start-steps.ts'

export async function run(args: readonly string[]): Promise<void> {
  removeProtoAccessor()
  try {
    if (args.includes('--explain')) {
      process.stdout.write(`${explainConfig(withRole(process.env, args)).join('\n')}\n`)
      return
    }
    const from = args.indexOf('--restore')
    if (from === -1) await serve(loadConfig(withRole(process.env, args)))
    else await restoreFrom(args[from + 1])
  } catch (error) {
    process.stderr.write(`Parapet could not start: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

/** @throws Error when no file is named, or the backup is not good */
async function restoreFrom(path: string | undefined): Promise<void> {
  if (path === undefined) throw new Error('--restore needs the path of a backup')
  const { preface, manifest } = await restore(loadConfig(process.env), path)
  const rows = manifest.parts.reduce((sum, part) => sum + part.rows, 0)
  say(`Restored the backup of ${preface.created_at}: ${rows} rows. Start without --restore now.`)
}

async function serve(config: Config): Promise<void> {
  let signal = new Promise<void>(() => undefined)
  const first = await start(config, () => {
    signal = stopSignal()
  })
  if (config.databaseUrl === null)
    say(
      'Embedded database: safe when the process is killed, not when the power fails. Set PARAPET_DATABASE_URL for real use.',
    )
  for (let running = first; ; ) {
    const goesOn = await Promise.race([signal.then(() => false), running.program.replaced.then(() => true)])
    await running.listening.stop()
    if (!goesOn) process.exit(0)
    // All that was in memory is gone with the program.
    say('A backup has taken the place of the data; starting anew.')
    running = await start({ ...config, port: Number(new URL(running.listening.address).port) }, () => undefined)
  }
}

interface Running {
  readonly program: Program
  readonly listening: Listening
}

/** @param listens called before the announcement: who waits for that may send a signal at once */
async function start(config: Config, listens: () => void): Promise<Running> {
  const program = await startProgram({ config, refuseRisks: true, console: builtConsole(), step: stepsOnScreen() })
  try {
    if (dutiesOf(config.role).servesApi)
      await firstRun(program.assembled.modules.servicesOf('iam') as IamServices, config)
    // Memory that only the start needed: an idle server would hold it for long. There when started with
    // `--expose-gc`.
    globalThis.gc?.()
    const listening = await listen(program, config)
    listens()
    say(`Parapet is listening on ${listening.address}`)
    if (config.role !== 'all') say(`Its role is ${config.role}.`)
    return { program, listening }
  } catch (error) {
    // Running loops would keep the process, and with it the database folder.
    await program.stop()
    throw error
  }
}

/** Creates the first administrator unattended, or prints the setup token once. */
async function firstRun(iam: IamServices, config: Config): Promise<void> {
  if (config.bootstrapEmail !== null && config.bootstrapPasswordFile !== null) {
    await bootstrapUnattended(iam, {
      email: config.bootstrapEmail,
      password: await readPassword(config.bootstrapPasswordFile),
    })
  }
  const { token } = await iam.setup.ensure()
  if (token === null) return
  const body = {
    setup_token: token,
    tenant: { name: 'Example', slug: 'example' },
    admin: { email: 'you@example.com', display_name: 'You', password: sampleForPassword },
  }
  say('This database is empty. Create the first administrator within 60 minutes; this token is shown once:')
  say(
    `curl -X POST ${config.publicUrl}/api/v1/auth/bootstrap -H 'content-type: application/json' -d '${JSON.stringify(body)}'`,
  )
}

/** @throws Error when others may read the file */
async function readPassword(path: string): Promise<string> {
  const { mode } = await stat(path)
  if ((mode & 0o077) !== 0)
    throw new Error(`PARAPET_BOOTSTRAP_PASSWORD_FILE: ${path} can be read by others; run chmod 600 on it`)
  return (await readFile(path, 'utf8')).replace(/\r?\n$/, '')
}

/** Settles at the first signal. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
