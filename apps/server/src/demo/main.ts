/**
 * `npm run demo`: a server of its own with sample data, a stand-in model, and the main job told step by step. After the
 * start everything goes through the public API. It is no way to run Parapet for real. Tested by .ci/demo.mjs.
 */
import { createClient } from '@parapet/sdk'
import WebSocket from 'ws'
import { removeProtoAccessor } from '../kernel/base/harden.ts'
import type { Config } from '../kernel/config/load.ts'
import { type Listening, listen } from '../listen.ts'
import type { IamServices } from '../modules/iam/services/iam-services.ts'
import { builtConsole } from '../pages/console.ts'
import { type Program, startProgram } from '../program.ts'
import { stepsOnScreen } from '../start-steps.ts'
import { type Account, openAccount } from './account.ts'
import { heading, line, quote } from './print.ts'
import { registerStandIn } from './provider.ts'
import { addSamples } from './samples.ts'
import { demoConfig } from './settings.ts'
import { type StandInModel, startStandInModel } from './stand-in-model.ts'
import { tellStory } from './story.ts'
import { watchEvents } from './watch.ts'

/** Plays the demo and keeps serving until SIGTERM or SIGINT. */
export async function run(_args: readonly string[]): Promise<void> {
  removeProtoAccessor()
  const closing: (() => Promise<void>)[] = []
  const closeAll = async (): Promise<void> => {
    for (const close of closing.splice(0).reverse()) await close()
  }
  let stopped = false
  const stop = (): void => {
    stopped = true
    void closeAll().then(() => process.exit(0))
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  try {
    await play(demoConfig(process.env), closing)
  } catch (error) {
    // A story that was stopped in the middle needs no report of its unfinished steps.
    if (stopped) return
    process.stderr.write(`The demo could not go on: ${error instanceof Error ? error.message : String(error)}\n`)
    await closeAll()
    process.exit(1)
  }
}

async function play(config: Config, closing: (() => Promise<void>)[]): Promise<void> {
  heading('Parapet demo, with sample data')
  const model = await startStandInModel()
  closing.push(model.close)
  const program = await startProgram({ config, console: builtConsole(), step: stepsOnScreen() })
  const iam = program.assembled.modules.servicesOf('iam') as IamServices
  const { token } = await iam.ensureSetup()
  const listening = await openPort(program, config)
  closing.push(listening.stop)
  quote('address', listening.address)
  quote('data', config.databaseUrl === null ? config.dataDir : 'the PostgreSQL database of PARAPET_DATABASE_URL')
  const account = await perform({ address: listening.address, model, dataDir: config.dataDir, setupToken: token })
  sayGoodbye(listening.address, account)
}

interface Performance {
  readonly address: string
  readonly model: StandInModel
  readonly dataDir: string
  /** Null when an earlier run made the tenant. */
  readonly setupToken: string | null
}

/** From here on the demo is a client like any other. */
async function perform({ address, model, dataDir, setupToken }: Performance): Promise<Account> {
  const client = createClient({ baseUrl: address, WebSocket })
  const account = await openAccount(client, dataDir, setupToken)
  quote('tenant', setupToken === null ? 'from an earlier run' : 'new: "Demo tenant (sample data)"')
  await registerStandIn(client, model.baseUrl)
  await addSamples(client)
  const events = await watchEvents(client)
  await tellStory({ client, events, model }).finally(events.close)
  return account
}

/** @throws Error that says what to do when the port is taken */
async function openPort(program: Program, config: Config): Promise<Listening> {
  try {
    return await listen(program, config)
  } catch (error) {
    await program.stop()
    if (error instanceof Error && Reflect.get(error, 'code') === 'EADDRINUSE')
      throw new Error(
        `port ${config.port} on ${config.host} is taken. Stop the other program, or choose a port: PARAPET_PORT=8081 npm run demo`,
        { cause: error },
      )
    throw error
  }
}

function sayGoodbye(address: string, { email, password }: Account): void {
  const body = JSON.stringify({ email, password })
  heading('Try it yourself')
  quote('console', `${address}/ (sign in with the e-mail and the password below)`)
  quote('e-mail', email)
  quote('password', password)
  line(`curl -X POST ${address}/api/v1/auth/login -H 'content-type: application/json' -d '${body}'`)
  heading(`Parapet keeps serving at ${address}; press Ctrl+C to stop.`)
}
