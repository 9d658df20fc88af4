import type { Config } from './load.ts'

/** Whether others than this machine are served, as far as the settings tell. */
export function servesOthers({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): boolean {
  return !isLoopback(host) || !isLoopback(new URL(publicUrl).hostname)
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || /^(?:127\.[\d.]+|\[?::1\]?)$/.test(host)
