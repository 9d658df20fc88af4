/**
 * The server as it ships: bundled once per process of the test run, run as a process of its own, ended by signals. Promises a process
 * that listens on a free port with a first administrator, or an error with the process's output; knows nothing of the
 * suites' work with it. Tested by the suites that use it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadConfig } from '../../src/kernel/config/load.ts'
import { repository } from '../borders/sources.ts'
import { password } from './world.ts'

/** Long for a start on a loaded machine, and shorter than the hook that waits for it. */
const startLimitMs = 100_000

export const operatorEmail = 'operator@default.example'

/** A bundled server with a folder for its data; several processes may be started from it. */
export interface Installation {
  /** Settings of every process; a second reader of the same data must start with them as well. */
  readonly environment: Readonly<Record<string, string>>
  /** Starts a process and does not wait for it. @param flags of Node */
  spawn(more?: Readonly<Record<string, string>>, flags?: readonly string[]): ServerProcess
  /** Starts a process and waits until it listens. @throws Error with its output when it ends before */
  start(more?: Readonly<Record<string, string>>, flags?: readonly string[]): Promise<RunningServer>
  /** Kills what still runs and removes the folders. */
  remove(): Promise<void>
}

export interface Ending {
  readonly code: number | null
  readonly signal: string | null
}

export interface ServerProcess {
  readonly pid: number
  /** Resolves with the address, rejects when the process ends before. */
  readonly listening: Promise<string>
  readonly exited: Promise<Ending>
  /** Output of the process so far. */
  output(): string
  signal(name: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<Ending>
}

export interface RunningServer extends ServerProcess {
  readonly address: string
}

/** @param environment settings besides those every test server has */
export async function install(environment: Readonly<Record<string, string>> = {}): Promise<Installation> {
  bundled ??= bundleServer()
  const [folder, bundle] = await Promise.all([mkdtemp(join(tmpdir(), 'parapet-server-')), bundled])
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  const settings = {
    PARAPET_PORT: '0',
    // Part of every token, so it must be the same for all processes on all ports.
    PARAPET_PUBLIC_URL: 'http://127.0.0.1:8080',
    PARAPET_DATA_DIR: join(folder, 'data'),
    PARAPET_BOOTSTRAP_EMAIL: operatorEmail,
    PARAPET_BOOTSTRAP_PASSWORD_FILE: passwordFile,
    PARAPET_ACCESS_LOG: 'false',
    PARAPET_LOG_LEVEL: 'warn',
    PARAPET_RATE_LIMIT_API: '1000000',
    PARAPET_RATE_LIMIT_INFERENCE: '1000000',
    PARAPET_RATE_LIMIT_EXPENSIVE: '1000000',
    PARAPET_RATE_LIMIT_CREDENTIAL: '1000000',
    ...environment,
  }
  loadConfig(settings)
  const started: ServerProcess[] = []
  const spawnOne: Installation['spawn'] = (more = {}, flags = []) => {
    const server = spawnServer(bundle, { ...settings, ...more }, flags)
    started.push(server)
    return server
  }
  return {
    environment: settings,
    spawn: spawnOne,
    start: async (more, flags) => {
      const server = spawnOne(more, flags)
      return { ...server, address: await server.listening }
    },
    remove: async () => {
      await Promise.all(started.map((server) => server.signal('SIGKILL')))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** It takes seconds of processor, and no suite changes it. */
let bundled: Promise<string> | undefined

const bundleServer = (): Promise<string> => bundleEntries({ server: 'apps/server/src/main.ts' })

/**
 * Bundles entry points, by name, into a new folder, which is the answer. Inside the repository, so that packages outside the
 * bundle are found.
 */
export async function bundleEntries(entries: Readonly<Record<string, string>>): Promise<string> {
  const all = join(repository, 'dist', 'test')
  await forgetEnded(all)
  const folder = join(all, `${process.pid}-${performance.now().toFixed(3)}`)
  const scripts = (await import(pathToFileURL(join(repository, 'scripts', 'build.mjs')).href)) as {
    readonly bundle: (entryPoints: Readonly<Record<string, string>>, folder: string) => Promise<void>
  }
  await scripts.bundle(entries, folder)
  return folder
}

/** A process of a test run is killed at its end and leaves its bundle behind. */
async function forgetEnded(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = Number(/^(\d+)-/.exec(name)?.[1])
    if (pid > 0 && !isRunning(pid)) await rm(join(folder, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function spawnServer(
  bundle: string,
  settings: Readonly<Record<string, string>>,
  flags: readonly string[],
): ServerProcess {
  const entry = pathToFileURL(join(bundle, 'server.mjs')).href
  const script = `const { run } = await import(${JSON.stringify(entry)}); await run([])`
  const child = spawn(process.execPath, [...flags, '--enable-source-maps', '--input-type=module', '-e', script], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // A test run that ends early leaves no server behind.
  const killed = () => child.kill('SIGKILL')
  process.once('exit', killed)
  const exited = new Promise<Ending>((resolve) => {
    child.once('close', (code, signal) => {
      process.off('exit', killed)
      resolve({ code, signal })
    })
  })
  const { text, listening } = readOutput(child, exited)
  // A caller that does not wait for it learns of a failed start from `exited`.
  listening.catch(() => {})
  return {
    pid: child.pid ?? 0,
    listening,
    exited,
    output: text,
    signal: (name) => {
      child.kill(name)
      return exited
    },
  }
}

function readOutput(child: ChildProcess, exited: Promise<Ending>) {
  let text = ''
  const listening = new Promise<string>((resolve, reject) => {
    const take = (part: Buffer): void => {
      text = (text + part.toString()).slice(-20_000)
      const address = /Parapet is listening on (\S+)\n/.exec(text)?.[1]
      if (address !== undefined) resolve(address)
    }
    child.stdout?.on('data', take)
    child.stderr?.on('data', take)
    const fail = (how: string) => reject(new Error(`The server ${how} before it listened:\n${text}`))
    const limit = setTimeout(() => fail(`took ${startLimitMs} ms`), startLimitMs)
    void exited.then(({ code, signal }) => {
      clearTimeout(limit)
      fail(`ended with ${code ?? signal}`)
    })
  })
  return { text: () => text, listening }
}
