import { answers, services } from '../../src/kernel/testing/services.ts'
import { serverUrl } from './database.ts'

const needed = [
  ['PostgreSQL', serverUrl],
  ['Redis or Valkey', services.valkey],
  ['NATS', services.nats],
] as const

/** Says before the first test, in words, which suites cannot run here. In CI a missing service is a failure. */
export default async function announceServices(): Promise<void> {
  for (const [name, url] of needed) {
    if (await answers(url)) continue
    const { hostname, port } = new URL(url)
    const told = `${name} is not reachable at ${hostname}:${port}`
    if (process.env.CI !== undefined) throw new Error(`${told}, and CI may not skip its suites.`)
    process.stdout.write(`${told}: the suites that need it are skipped.\n`)
  }
}
