/**
 * Programs of others that a suite runs for itself: found in the path, started on free ports in a folder of their own, and
 * ended by their handles. A suite whose program is missing is skipped in words, except in CI, where it fails. Tested by
 * the suites that use it.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { answers } from '../../src/kernel/testing/services.ts'

/** Why suites that need this program are skipped, or null when they run. */
export function reasonWithout(...programs: readonly string[]): string | null {
  if (process.env.CI !== undefined) return null
  const missing = programs.find((program) => !isInstalled(program))
  return missing === undefined ? null : `${missing} is not installed`
}

function isInstalled(program: string): boolean {
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'].some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      // Not in this folder.
      return false
    }
  })
}

export interface Program {
  stop(): Promise<void>
}

/** Starts a program and waits until it listens. @throws Error with its output when it ends before */
export async function startListening(port: number, command: string, ...args: readonly string[]): Promise<Program> {
  const PATH = `${process.env.PATH}${delimiter}/usr/sbin`
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, PATH } })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => said.push(bytes.toString()))
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', (error) => {
      said.push(error.message)
      resolve()
    })
  })
  for (let tries = 0; !(await answers(`tcp://127.0.0.1:${port}`)); tries += 1) {
    if (hasEnded(child) || tries > 1200) {
      child.kill('SIGKILL')
      throw new Error(`${command} does not listen:\n${said.join('')}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const hasEnded = ({ exitCode, pid }: ChildProcess): boolean => exitCode !== null || pid === undefined

/**
 * A port for a program that cannot be told to take any. Below those that the system hands out, so that no other suite
 * gets it before the program has started.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(10_000, 32_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
  throw new Error('there is no free port')
}

export interface Certificate {
  readonly certificate: string
  readonly key: string
}

/** A self-signed certificate for this machine with its key, as files in the folder. */
export async function selfSigned(folder: string, name: string): Promise<Certificate> {
  const files = { certificate: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) }
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-nodes', '-days', '2', '-subj', `/CN=${name}`],
    ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'],
    ...['-addext', 'subjectAltName=DNS:localhost,DNS:parapet.example,IP:127.0.0.1'],
    ...['-keyout', files.key, '-out', files.certificate],
  ])
  return files
}
