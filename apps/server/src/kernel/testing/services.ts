/**
 * The services that suites need besides this repository. Promises one rule for all: a suite whose service does not answer
 * is skipped in words, except in CI, where it runs and fails. Starts nothing. Tested by the suites that use it.
 */
import { connect } from 'node:net'

/** Where the suites look for services; the variables override them. */
export const services = {
  valkey: process.env.PARAPET_TEST_VALKEY_URL ?? 'redis://127.0.0.1:6379',
  nats: process.env.PARAPET_TEST_NATS_URL ?? 'nats://127.0.0.1:4222',
} as const

/** Why suites that need this service are skipped, or null when they run. */
export async function reasonToSkip(url: string): Promise<string | null> {
  if (process.env.CI !== undefined) return null
  const { protocol, hostname, port } = new URL(url)
  return (await answers(url)) ? null : `nothing answers at ${protocol}//${hostname}:${port}`
}

/** A suite's title, with the reason when it is skipped. */
export const titleOf = (name: string, skip: string | null): string =>
  skip === null ? name : `${name} (skipped: ${skip})`

/** Whether something listens at the address. */
export function answers(url: string): Promise<boolean> {
  const { hostname: host, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), timeout: 1_000 })
    const settle = (result: boolean) => {
      socket.destroy()
      resolve(result)
    }
    socket.once('connect', () => settle(true))
    socket.once('timeout', () => settle(false))
    socket.once('error', () => settle(false))
  })
}
